"""Names of people, cities and countries."""

from transformer_kit.corpus.tables import rows

PEOPLE = rows("""
    ana    | Ana    | f
    maria  | María  | f
    pedro  | Pedro  | m
    carlos | Carlos | m
    laura  | Laura  | f
    lucia  | Lucía  | f
    sofia  | Sofía  | f
    carmen | Carmen | f
    elena  | Elena  | f
    isabel | Isabel | f
    marta  | Marta  | f
    julia  | Julia  | f
    sara   | Sara   | f
    rosa   | Rosa   | f
    emma   | Emma   | f
    mary   | Mary   | f
    anna   | Anna   | f
    john   | John   | m
    juan   | Juan   | m
    luis   | Luis   | m
    miguel | Miguel | m
    jose   | José   | m
    pablo  | Pablo  | m
    antonio | Antonio | m
    diego  | Diego  | m
    daniel | Daniel | m
    david  | David  | m
    tom    | Tom    | m
    peter  | Peter  | m
    paul   | Paul   | m
""")
CITIES = rows("""
    madrid    | Madrid
    barcelona | Barcelona
    london    | Londres
    paris     | París
    berlin    | Berlín
    rome      | Roma
""")
COUNTRIES = rows("""
    spain   | España
    mexico  | México
    england | Inglaterra
    france  | Francia
    germany | Alemania
    italy   | Italia
    america | América
    canada  | Canadá
""")
PLACES = (*CITIES, *COUNTRIES)
NATIONS = rows("""
    spanish  | español española
    english  | inglés inglesa
    french   | francés francesa
    german   | alemán alemana
    italian  | italiano italiana
    american | americano americana
    mexican  | mexicano mexicana
""")
