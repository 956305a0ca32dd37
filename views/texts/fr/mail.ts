import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Votre commande chez ${shop}`,
  opened: 'Vous avez commencé à payer cette commande. Utilisez le lien ci-dessous pour y revenir.',
  paid: shop => `${shop} a reçu votre paiement. Merci.`,
  ignore: 'Si vous n’avez pas passé cette commande, vous pouvez ignorer cet e-mail.',
}
