using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "shop", worker = (
      modules = [
        (name = "worker.mjs", esModule = embed "worker.mjs"),
        (name = "shop.mjs", esModule = embed "shop.mjs"),
        (name = "client/index.js", esModule = embed "client/index.js"),
        (name = "client/client.js", esModule = embed "client/client.js"),
        (name = "client/api.js", esModule = embed "client/api.js"),
      ],
      compatibilityDate = "2026-01-01",
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "shop")],
);
