"""Serves the webhook of the README: its last example is the body of `receive`."""
import json, os, sys, textwrap, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from florin import verify_webhook

door = os.environ["DOOR"]
signing_secret = os.environ["SECRET"]


def find_order(order_uuid):
    with urllib.request.urlopen(f"{door}/{order_uuid}/find") as response:
        order = json.load(response)
    return order and SimpleNamespace(**order)


def ship_once(order):
    urllib.request.urlopen(f"{door}/{order.id}/ship").close()


exec("def receive(request):\n" + textwrap.indent(os.environ["EXAMPLE"], "    "))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        _, status = receive(SimpleNamespace(headers=self.headers, get_data=lambda: body))
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
