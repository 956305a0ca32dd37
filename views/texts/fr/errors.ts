import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const errors: Texts['errors'] = {
  titles: {
    notFound: 'Page introuvable',
    notPossible: 'Ce n’est pas possible',
    notAvailable: 'Non disponible',
    tooMany: 'Trop de requêtes',
    providerAway: 'Le prestataire de paiement ne répond pas',
    other: 'Une erreur s’est produite',
  },
  titled: title => `Erreur : ${title}`,
  notSold: shop => `${shop} ne propose plus cet article à la vente.`,
  shopClosed:
    'Cette boutique n’accepte pas de paiements pour le moment. Si vous avez déjà payé, contactez ' +
    'la boutique en indiquant votre numéro de commande.',
  checkLink: 'Vérifiez le lien ou demandez-en un nouveau à la boutique.',
  backToPayment: 'Retour au paiement',
  requestId: 'Identifiant de la requête',
  waitMinute: 'Veuillez patienter une minute, puis réessayer.',
  wait: seconds =>
    plural('fr', seconds, {
      one: `Trop de requêtes. Veuillez réessayer dans ${seconds} seconde.`,
      other: `Trop de requêtes. Veuillez réessayer dans ${seconds} secondes.`,
    }),
  shopCannot:
    'La boutique ne peut pas accepter cette commande pour le moment. Réessayez plus tard ou ' +
    'contactez la boutique.',
  byCode: {
    validation_error:
      'Ce lien ou ce formulaire n’est pas valide. Revenez en arrière ou demandez un nouveau lien à ' +
      'la boutique.',
    not_found: 'Il n’y a aucune page à cette adresse.',
    order_not_payable:
      'Cette commande ne peut plus être payée. Retournez à la boutique et commandez à nouveau.',
    method_not_offered: 'Ce moyen de paiement n’est pas disponible. Choisissez-en un autre.',
    product_not_available:
      'Ce produit n’est pas disponible. Retournez à la boutique et choisissez-en un autre.',
    internal_error:
      'Veuillez réessayer. Si le problème persiste, contactez la boutique en indiquant ' +
      'l’identifiant de la requête ci-dessous.',
    provider_unavailable: 'Veuillez réessayer dans quelques minutes.',
  },
  byReason: {
    order_unknown: 'Cette commande n’existe pas.',
    product_unknown: 'Ce produit n’existe pas.',
    order_paid: 'Cette commande est déjà payée.',
    order_cancelled: 'Cette commande a été annulée.',
    order_expired: 'Cette commande a expiré. Retournez à la boutique et commandez à nouveau.',
    order_failed: 'Le paiement de cette commande a échoué. Retournez à la boutique et commandez à nouveau.',
    coin_not_offered:
      'Cette cryptomonnaie n’est pas disponible pour cette commande pour le moment. Choisissez un ' +
      'autre moyen de paiement.',
    coin_unsupported: 'Cette cryptomonnaie n’est plus prise en charge. Contactez la boutique.',
    nothing_to_refund:
      'Il n’y a rien à rembourser. Contactez la boutique si vous pensez qu’il s’agit d’une erreur.',
    address_saved:
      'Une adresse de remboursement est déjà enregistrée. Contactez la boutique pour la modifier.',
    private_key: 'Cela ressemble à une clé privée. Ne la communiquez jamais. Saisissez plutôt une adresse.',
    payment_address:
      'C’est l’adresse à laquelle vous payez. Saisissez une adresse de votre propre portefeuille.',
    payments_open:
      'Vous avez ouvert dix paiements pour cette commande. Payez l’un d’eux ou réessayez dans 30 minutes.',
    changed: 'Cette page n’était plus à jour. Rechargez-la, puis réessayez.',
  },
  notAnAddress: network =>
    `Ce n’est pas une adresse sur ${network}. Copiez-la à nouveau depuis votre portefeuille.`,
}
