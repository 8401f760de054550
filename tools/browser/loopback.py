"""A plain file server with the site, and one that stands for the rest of the internet: both on this machine."""

import contextlib
import http.server
import ssl
import subprocess
import threading
from pathlib import Path
from urllib.parse import unquote

FOLDER = "/some/folder/"  # few sites stand at the root of their host


class _Files(http.server.SimpleHTTPRequestHandler):
    """Serves the files of folders by the beginning of their address, and notes who was asked."""

    def translate_path(self, path):
        address = self.headers["Host"].split(":")[0] + unquote(path.split("?")[0])
        self.server.asked.append(address)
        for beginning, folder in self.server.folders.items():
            if address.startswith(beginning):
                return str(folder / address.removeprefix(beginning))
        return str(Path("nothing", "here"))

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "*")  # as the CDN does
        super().end_headers()

    def log_message(self, *_):
        """Stay quiet."""


@contextlib.contextmanager
def _serving(folders, secure_with=None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Files)
    server.folders, server.asked = folders, []
    if secure_with:
        server.socket = secure_with.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def internet(cdn_files, scratch):
    """Answer https for every host: the files of the CDN by their address, nothing else.

    Parameters
    ----------
    cdn_files : dict
        Folder by the beginning of the address, e.g. ``{"cdn.example/pyodide/": Path(...)}``.
    scratch : Path
        Gets a certificate that nobody has signed.

    Yields
    ------
    server
        With `server_port`, and `asked`: host and path of every request.
    """
    key, certificate = scratch / "key.pem", scratch / "certificate.pem"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*make, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with _serving(cdn_files, context) as server:
        yield server


@contextlib.contextmanager
def site_server(site):
    """Serve a built site below a folder, and yield its address."""
    with _serving({f"127.0.0.1{FOLDER}": site}) as server:
        yield f"http://127.0.0.1:{server.server_port}{FOLDER}"
