# Receives webhooks with Python's standard library alone: verifies, deduplicates, responds, then processes (prints a line).
#   WEBHOOK_SECRET=whsec_… PORT=8000 python3 docs/examples/receivers/python.py
# It listens on plain HTTP on this machine only: webhooks come by HTTPS, so put a proxy that speaks TLS before it.
import base64, hashlib, hmac, json, os, re, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

secret = os.environ["WEBHOOK_SECRET"]
key = base64.b64decode(secret[6:], validate=True) if secret.startswith("whsec_") else os.fsencode(secret)
assert key, "WEBHOOK_SECRET is empty"
TOLERANCE_S = 300
# In your system: a table with the id as its key, where the event is stored before the response.
seen, seen_lock = set(), threading.Lock()


def is_signed(event_id: str, sent_at: str, given: str, body: bytes) -> bool:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,255}", event_id) or not re.fullmatch(r"[0-9]{1,12}", sent_at):
        return False
    if abs(int(time.time()) - int(sent_at)) > TOLERANCE_S:
        return False
    mac = hmac.new(key, f"{event_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(mac)
    # Several signatures while a rotated secret overlaps the one before it.
    return any(hmac.compare_digest(one.encode(), expected) for one in given.split(" "))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        event_id, sent_at, given = (self.headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
        signed = is_signed(event_id, sent_at, given, body)
        with seen_lock:
            is_new = signed and event_id not in seen
            if is_new:
                seen.add(event_id)
        # Responds before the work is done: a slow response counts as a failure.
        self.send_response(204 if signed else 401)
        self.end_headers()
        if not is_new:
            return
        event = json.loads(body)
        print(event_id, event["event"], event.get("request_id") or event["batch_id"], flush=True)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8000))), Receiver)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
