import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: 'Página no encontrada',
    notPossible: 'Esto no es posible',
    notAvailable: 'No disponible',
    tooMany: 'Demasiadas solicitudes',
    providerAway: 'El proveedor de pagos no responde',
    other: 'Se ha producido un error',
  },
  titled: title => `Error: ${title}`,
  notSold: shop => `${shop} ya no vende este producto.`,
  shopClosed:
    'Esta tienda no acepta pagos en este momento. Si ya ha pagado, póngase en contacto con la ' +
    'tienda e indique su número de pedido.',
  checkLink: 'Compruebe el enlace o pida uno nuevo a la tienda.',
  backToPayment: 'Volver al pago',
  requestId: 'Identificador de la solicitud',
  waitMinute: 'Espere un minuto y vuelva a intentarlo.',
  wait: seconds =>
    plural('es', seconds, {
      one: `Demasiadas solicitudes. Vuelva a intentarlo en ${seconds} segundo.`,
      other: `Demasiadas solicitudes. Vuelva a intentarlo en ${seconds} segundos.`,
    }),
  shopCannot:
    'La tienda no puede aceptar este pedido en este momento. Vuelva a intentarlo más tarde o ' +
    'póngase en contacto con la tienda.',
  byCode: {
    validation_error:
      'Este enlace o formulario no es válido. Vuelva atrás o pida un enlace nuevo a la tienda.',
    not_found: 'No hay ninguna página en esta dirección.',
    order_not_payable: 'Este pedido ya no se puede pagar. Vuelva a la tienda y haga el pedido de nuevo.',
    method_not_offered: 'Este método de pago no está disponible. Elija otro método.',
    product_not_available: 'Este producto no está disponible. Vuelva a la tienda y elija otro.',
    internal_error:
      'Vuelva a intentarlo. Si ocurre de nuevo, póngase en contacto con la tienda e indique el ' +
      'identificador de la solicitud que aparece abajo.',
    provider_unavailable: 'Vuelva a intentarlo en unos minutos.',
  },
  byReason: {
    order_unknown: 'Este pedido no existe.',
    product_unknown: 'Este producto no existe.',
    order_paid: 'Este pedido ya está pagado.',
    order_cancelled: 'Este pedido se ha cancelado.',
    order_expired: 'Este pedido ha caducado. Vuelva a la tienda y haga el pedido de nuevo.',
    order_failed: 'El pago de este pedido ha fallado. Vuelva a la tienda y haga el pedido de nuevo.',
    coin_not_offered:
      'Esta criptomoneda no está disponible para este pedido en este momento. Elija otro método.',
    coin_unsupported: 'Esta criptomoneda ya no se admite. Póngase en contacto con la tienda.',
    nothing_to_refund:
      'No hay nada que reembolsar. Póngase en contacto con la tienda si cree que es un error.',
    address_saved:
      'Ya hay guardada una dirección de reembolso. Póngase en contacto con la tienda para cambiarla.',
    private_key: 'Esto parece una clave privada. No la comparta nunca. Introduzca una dirección en su lugar.',
    payment_address:
      'Esta es la dirección a la que usted paga. Introduzca una dirección de su propio monedero.',
    payments_open:
      'Ha abierto diez pagos para este pedido. Pague uno de ellos o vuelva a intentarlo en 30 minutos.',
    changed: 'Esta página no estaba actualizada. Recárguela y vuelva a intentarlo.',
  },
  notAnAddress: network => `Esta no es una dirección de ${network}. Cópiela de nuevo desde su monedero.`,
}
