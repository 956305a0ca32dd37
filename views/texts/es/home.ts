import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: 'Pagos con Florin',
  what: 'Este servidor gestiona pagos de tiendas en línea.',
  buyers: '¿Ha venido a pagar? Abra el enlace que le dio la tienda.',
  developers: '¿Administra este servidor o una tienda? La referencia de la API muestra cómo crear un pedido.',
  sandbox:
    'Este es un entorno de pruebas: para probarlo, cree un pedido y abra su página de pago. Puede ' +
    'pagarlo con tarjetas y monedas de prueba.',
  reference: 'Referencia de la API',
}
