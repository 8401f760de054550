"""A roster of three as each platform exports it, and how the platform names what they hand in."""

from autograder.grading.intake.find.roster import Roster
from autograder.grading.intake.find.roster_table import read_roster
from tests.support.handed_in import FILE, UNIT

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Unit 2 (991),Final Score
,,,,,Manual Posting,
    Points Possible,,,,,21,(read only)
"Lee, Ann",12345,S-1,alee7,Section 1,17,
"Öl, Zoë Maria",12346,S-2,zoel,Section 2,,
"Ray, Bob",12347,S-3,bray,Section 1,,
"Student, Test",99999,,9f8e,Section 1,,
"""
MOODLE = """\
First name,Last name,Email address,Groups
Ann,Lee,ann.lee@uni.example,Section 1
Zoë Maria,Öl,zoe@uni.example,Section 2
Bob,Ray,bob@uni.example,Section 1
"""
WORKSHEET = """\
Identifier,Full name,Email address,Status,Group,Grade,Maximum Grade
Participant 321,Ann Lee,ann.lee@uni.example,Submitted for grading,Section 1,,100.00
Participant 322,Zoë Maria Öl,zoe@uni.example,No submission,Section 2,,100.00
Participant 323,Bob Ray,bob@uni.example,Submitted for grading,Section 1,,100.00
"""
BRIGHTSPACE = """\
OrgDefinedId,Username,Last Name,First Name,Email,Sections,U2 Points Grade <Numeric MaxPoints:21>,End-of-Line Indicator
#1001,#alee7,Lee,Ann,ann.lee@uni.example,Section 1,17,#
#1002,#zoel,Öl,Zoë Maria,zoe@uni.example,Section 2,,#
#1003,#bray,Ray,Bob,bob@uni.example,Section 1,,#
"""
BLACKBOARD = """\
"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"Last Access"\t"Availability"\t"Unit 2 [Total Pts: 21 Score] |4711"
"Lee"\t"Ann"\t"alee7"\t"1001"\t"2026-11-20 10:00:00"\t"Yes"\t"17"
"Öl"\t"Zoë Maria"\t"zoel"\t"1002"\t""\t"Yes"\t""
"Ray"\t"Bob"\t"bray"\t"1003"\t""\t"Yes"\t""
"""
ILIAS = """\
update,usr_id,login,lastname,firstname,status,mark,notice,comment,plagiarism,plag_comment
0,4711,alee7,Lee,Ann,passed,,,Well done,,
0,4712,zoel,Öl,Zoë Maria,notgraded,,by mail,,,
0,4713,bray,Ray,Bob,notgraded,,,,,
"""
PLAIN = "id;name;section\nalee7;Ann Lee;Section 1\nzoel;Zoë Maria Öl;Section 2\nbray;Bob Ray;Section 1\n"
ROSTERS = {
    "Canvas": CANVAS.encode("utf-8-sig"),
    "Moodle": MOODLE.encode(),
    "Moodle's worksheet": WORKSHEET.encode("utf-8-sig"),
    "Brightspace": BRIGHTSPACE.encode(),
    "Blackboard": BLACKBOARD.encode("utf-16"),
    "ILIAS": ILIAS.encode(),
    "a spreadsheet": PLAIN.encode("cp1252"),
}
# how a platform's zip names what Ann and Bob hand in, and what stands for somebody else
ZIPS = {
    "Canvas": (f"leeann_12345_67890_{FILE}", "raybob_12347_67891_x.pdf", f"mayeve_12399_67892_{FILE}"),
    "Moodle": tuple(
        f"{name}_assignsubmission_file_/{file}"
        for name, file in (("Ann Lee_321", FILE), ("Bob Ray_323", "x.pdf"), ("Eve May_399", FILE))
    ),
    "Moodle's worksheet": tuple(
        f"Participant_{number}_assignsubmission_file_/{file}"
        for number, file in ((321, FILE), (323, "x.pdf"), (399, FILE))
    ),
    "Brightspace": tuple(
        f"{n}-77 - {name} - Sep 24, 2026 926 PM/{file}"
        for n, name, file in ((5, "Ann Lee", FILE), (6, "Bob Ray", "x.pdf"), (7, "Eve May", FILE))
    ),
    "Blackboard": tuple(
        f"Unit 2_{name}_attempt_2026-11-20-10-00-00_{file}"
        for name, file in (("alee7", FILE), ("bray", "x.pdf"), ("emay", FILE))
    ),
    "ILIAS": (f"Lee_Ann_alee7_4711/{FILE}", "Ray_Bob_bray_4713/x.pdf", f"May_Eve_emay_4799/{FILE}"),
    "a spreadsheet": (f"alee7/{UNIT}/{FILE}", f"bray/{UNIT}/x.pdf", f"emay/{UNIT}/{FILE}"),
}


def roster_of(folder, platform, register):
    path = folder / "roster.csv"
    path.write_bytes(ROSTERS[platform])
    return Roster(read_roster(path), register)
