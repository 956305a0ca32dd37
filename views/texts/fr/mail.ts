import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Votre commande chez ${shop}`,
  opened: 'Vous avez ouvert un paiement pour cette commande. Le lien ci-dessous vous y ramène.',
  paid: shop => `${shop} a reçu votre paiement. Merci.`,
  ignore: 'Si vous n’avez rien commandé, vous pouvez ignorer cet e-mail.',
}
