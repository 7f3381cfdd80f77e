import hashlib
import hmac
from urllib.parse import quote


def sign_link(base, key_id, secret, file, parameters):
    encode = lambda text: quote(str(text), safe="!'()*-._~")
    query = "&".join(f"{encode(name)}={encode(parameters[name])}" for name in sorted(parameters))
    signature = hmac.new(secret.encode(), f"{file}?{query}".encode(), hashlib.sha256).hexdigest()
    return f"{base}/r/{key_id}/{signature}/{file}?{query}"
