import json, os
from florin import Florin, FlorinError, verify_webhook

given = json.loads(os.environ["GIVEN"])
order = given["order"]


def failure(run):
    try:
        run()
    except FlorinError as error:
        return [error.code, error.status, [detail["path"] for detail in error.details]]
    except ValueError:
        return "refused"
    return "nothing failed"


florin = Florin(given["url"], given["key"])
flaky = Florin(given["url"] + "/lost", given["key"])
first = flaky.create_order(order, "cart-number-1")
again = florin.create_order(order, "cart-number-1")
second = flaky.create_order(order)
result = {
    "isSame": first["orderUUID"] == again["orderUUID"],
    "isTest": Florin(given["url"], given["testKey"]).create_test_order(order)["livemode"] is False,
    "listed": [one["orderUUID"] for one in florin.list_orders(pageSize=1)] == [second["orderUUID"], first["orderUUID"]],
    "filtered": len(list(florin.list_orders(status="PAID"))),
    "tests": len(list(florin.list_orders(livemode=False))),
    "webhooks": len(florin.request("GET", "/v1/webhooks")["items"]),
    "cancelled": florin.cancel_order(second["orderUUID"])["order"]["status"],
    "notCancellable": failure(lambda: florin.cancel_order(second["orderUUID"])),
    "invalid": failure(lambda: florin.create_order({**order, "amount": 25.5})),
    "unknown": failure(lambda: florin.get_order("../orders?x=#")),
    "redirected": failure(lambda: Florin(given["url"] + "/moved", given["key"], retries=0).get_wallet()),
    "page": failure(lambda: Florin(given["url"] + "/page", given["key"], retries=0).get_wallet()),
    "away": failure(lambda: Florin(given["away"], given["key"], retries=0).get_wallet()),
    "cut": [
        failure(lambda: Florin(given["cut"], given["key"], retries=0).get_order("1")),
        failure(lambda: Florin(given["cut"], given["key"], retries=0).get_order("1")),
        "isWhole" in Florin(given["cut"], given["key"], retries=1).get_order("1"),
    ],
    "plain": failure(lambda: Florin("http://pay.shop.example", given["key"])),
    "wallet": "cryptoWallets" in florin.get_wallet(),
    "events": [
        verify_webhook(one["headers"], one["body"].encode(), given["secret"]) is not None for one in given["deliveries"]
    ],
}
print(json.dumps(result))
