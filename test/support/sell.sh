# Sells something on a server of the sandbox, by the steps of the README. Prints "order ID PAID".
#   URL     address of the server
#   FLORIN  how its commands are run
#   CURL    more options of curl, such as --cacert FILE
#   KEY     file for the API key; made with the shop if it does not exist
set -eu
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
ask() { curl -sS --max-time 20 ${CURL:-} "$@"; }
api() { ask -H "X-API-Key: $(cat "$KEY")" -H 'Content-Type: application/json' "$@"; }
if [ ! -s "$KEY" ]; then
  merchant=$($FLORIN merchant create --json --email shop@shop.example --name Shop | field merchantId)
  $FLORIN key create --json --merchant "$merchant" --mode live | field key > "$KEY"
  api -o /dev/null -X PUT "$URL/v1/wallet" -d '{"cryptoWallets":{"evm":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"}}'
fi
order=$(api "$URL/v1/orders" -d '{"amount":"25.00","currency":"USD","paymentMethodsKeys":["*"],
  "customer":{"email":"buyer@example.com"}}' | field orderUUID)
asset=$(ask "$URL/pay/$order" | grep -o 'name="asset" value="[^"]*"' | head -1 | cut -d'"' -f4)
ask -o /dev/null "$URL/pay/$order/crypto" -d "asset=$asset"
ask -o /dev/null -H 'Content-Type: application/json' "$URL/sandbox/simulate" \
  -d "{\"orderUUID\":\"$order\",\"outcome\":\"paid\"}"
ask -o /dev/null "$URL/pay/$order/check" -d ''
echo "order $order $(api "$URL/v1/orders/$order" | field status)"
