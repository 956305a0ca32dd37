"""Client of Florin, a self-hosted payments server. One file, no dependencies, Python 3.9 or later.

    from florin import Florin
    florin = Florin("https://pay.shop.example", api_key)
    order = florin.create_order({"amount": "25.00", "currency": "USD", "paymentMethodsKeys": ["*"],
                                 "customer": {"email": "buyer@example.com", "fullName": "Sam Buyer"}})
    redirect_to(order["checkoutUrl"])

Amounts are decimal strings such as "25.00", never floats.
"""

import base64
import hashlib
import hmac
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

#: Max difference between the time of a delivery and this computer's time, in seconds.
TOLERANCE_SECONDS = 300
#: The longest pause between two tries, even if Retry-After is longer.
MAX_PAUSE_SECONDS = 60
#: Statuses of responses after which the same request may succeed.
RETRIED = (429, 502, 503)


class FlorinError(Exception):
    """A request that the server refused, or that got no usable response.

    `code` is one of the documented codes, such as "validation_error", or "no_response". `status` is the HTTP
    status; None without a response. `details` names the fields to correct.
    """

    def __init__(self, code, message, status=None, request_id=None, details=None):
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status
        self.request_id = request_id
        self.details = details or []


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirects: the API has none, and the key must not be sent to another server."""

    def redirect_request(self, *_):
        return None


def _check_url(url):
    parts = urllib.parse.urlsplit(url)
    is_local = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if parts.scheme != "https" and not (parts.scheme == "http" and is_local):
        raise ValueError("The URL of the server must begin with https://. Only localhost may use http://.")
    return url.rstrip("/")


def _text(value):
    return str(value).lower() if isinstance(value, bool) else value


def _segment(value):
    return urllib.parse.quote(str(value), safe="")


class Florin:
    """The API of one merchant. Keep the key on a server.

    Failed requests are sent again up to `retries` times, if this cannot do anything twice.
    """

    def __init__(self, url, api_key, timeout=30, retries=3):
        self._url = _check_url(url)
        self._key = api_key
        self._timeout = timeout
        self._retries = retries
        self._opener = urllib.request.build_opener(_NoRedirects)

    # Orders

    def create_order(self, order, idempotency_key=None):
        """Creates an order. The same `idempotency_key` returns the same order, also after a crash."""
        return self.request("POST", "/v1/orders", order, key=idempotency_key or str(uuid.uuid4()))

    def create_test_order(self, order, idempotency_key=None):
        """Creates an order that no money can be paid to. It needs a test key."""
        return self.request("POST", "/v1/test/orders", order, key=idempotency_key or str(uuid.uuid4()))

    def get_order(self, order_uuid):
        return self.request("GET", f"/v1/orders/{_segment(order_uuid)}")

    def list_orders(self, **filters):
        """Iterates over orders, newest first. Filters: those of the API, such as status="PAID"."""
        return self._pages("/v1/orders", filters)

    def cancel_order(self, order_uuid, reason=None):
        """Cancels an UNPAID order, as long as no buyer has started to pay it."""
        body = {} if reason is None else {"reason": reason}
        return self.request("POST", f"/v1/orders/{_segment(order_uuid)}/cancel", body)

    # Refunds

    def record_refund(self, order_uuid, refund, idempotency_key=None):
        """Records a refund that was paid back: {"amount": "5.00", "reason": "returned"}. Moves no money."""
        path = f"/v1/orders/{_segment(order_uuid)}/refunds"
        return self.request("POST", path, refund, key=idempotency_key or str(uuid.uuid4()))

    def list_refunds(self, order_uuid):
        return self._pages(f"/v1/orders/{_segment(order_uuid)}/refunds", {})

    # Transactions and events

    def get_transaction(self, transaction_id):
        return self.request("GET", f"/v1/transactions/{_segment(transaction_id)}")

    def list_transactions(self, **filters):
        """Iterates over transactions, newest first. Filters: those of the API, such as orderUUID."""
        return self._pages("/v1/transactions", filters)

    def get_event(self, event_id):
        return self.request("GET", f"/v1/events/{_segment(event_id)}")

    def list_events(self, **filters):
        """Iterates over events with their deliveries, newest first. Filters: those of the API, such as type."""
        return self._pages("/v1/events", filters)

    def redeliver_event(self, event_id):
        return self.request("POST", f"/v1/events/{_segment(event_id)}/redeliver")

    # Products

    def create_product(self, product):
        return self.request("POST", "/v1/products", product)

    def get_product(self, product_uuid):
        return self.request("GET", f"/v1/products/{_segment(product_uuid)}")

    def list_products(self):
        return self._pages("/v1/products", {})

    def change_product(self, product_uuid, change):
        return self.request("PATCH", f"/v1/products/{_segment(product_uuid)}", change)

    # The shop

    def get_wallet(self):
        return self.request("GET", "/v1/wallet")

    def change_wallet(self, change):
        return self.request("PUT", "/v1/wallet", change)

    def get_webhook(self):
        return self.request("GET", "/v1/webhook")

    def set_webhook(self, url):
        """Sets the URL of the webhook. The first response has the signingSecret, which is never shown again."""
        return self.request("PUT", "/v1/webhook", {"url": url})

    def list_payment_methods(self, force_fetch=False):
        return self.request("GET", "/v1/payment-methods", query={"forceFetch": "true"} if force_fetch else {})

    # Requests

    def _pages(self, path, filters):
        token = None
        while True:
            page = self.request("GET", path, query={"pageSize": 100, **filters, "pageToken": token})
            yield from page["items"]
            token = page.get("nextPageToken")
            if not token:
                return

    def request(self, method, path, body=None, query=None, key=None):
        """Sends any request of the API and returns its data. `key` is the idempotency key."""
        known = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        url = self._url + path + (f"?{urllib.parse.urlencode(known)}" if known else "")
        may_repeat = method == "GET" or key is not None
        for tried in range(self._retries + 1):
            is_last = tried == self._retries or not may_repeat
            try:
                return self._send(method, url, body, key)
            except FlorinError as error:
                # An incomplete response with a status of success was lost on its way.
                is_lost = error.code == "no_response" and (error.status or 0) < 300
                if is_last or not (is_lost or error.status in RETRIED):
                    raise
                pause = getattr(error, "retry_after", None) or 2**tried * random.uniform(0.5, 1)
                time.sleep(min(pause, MAX_PAUSE_SECONDS))

    def _send(self, method, url, body, key):
        headers = {"X-API-Key": self._key, "Accept": "application/json"}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                return _data_of(response.status, response.headers, response.read())
        except urllib.error.HTTPError as error:
            return _data_of(error.code, error.headers, error.read())
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise FlorinError("no_response", f"The server did not respond: {error}") from None


def _data_of(status, headers, text):
    try:
        answer = json.loads(text)
    except ValueError:
        answer = None
    if isinstance(answer, dict) and answer.get("success") is True:
        return answer.get("data")
    failure = answer.get("error") if isinstance(answer, dict) else None
    if not isinstance(failure, dict):
        failure = {"code": "no_response", "message": f"The response with status {status} is not from Florin."}
    error = FlorinError(
        failure.get("code"), failure.get("message"), status, failure.get("requestId"), failure.get("details")
    )
    pause = headers.get("Retry-After") or ""
    error.retry_after = int(pause) if pause.isascii() and pause.isdigit() else None
    raise error


def _header_name(name):
    plain = str(name).lower().replace("_", "-")
    return plain[len("http-"):] if plain.startswith("http-") else plain


def verify_webhook(headers, raw_body, signing_secret, now=None):
    """Returns the event of a delivery; None if it is not from Florin, or is older than five minutes.

    `headers` is a mapping, also that of WSGI or Django (HTTP_X_SERVICE_…), and `raw_body` the bytes as they
    arrived. Handle each event["id"] once, ignore types that you do not know, and compare event["amount"] and
    event["currency"] with your order.
    """
    given = {_header_name(name): value for name, value in headers.items()}
    timestamp = given.get("x-service-timestamp") or ""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return None
    if abs((time.time() if now is None else now) - int(timestamp)) > TOLERANCE_SECONDS:
        return None
    digest = hmac.new(signing_secret.encode(), timestamp.encode() + b"." + raw_body, hashlib.sha256).digest()
    expected = base64.urlsafe_b64encode(digest).rstrip(b"=")
    signatures = [given.get(name) or "" for name in ("x-service-signature", "x-service-signature-previous")]
    if not any(hmac.compare_digest(expected, signature.encode()) for signature in signatures):
        return None
    return json.loads(raw_body)
