import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Il tuo ordine presso ${shop}`,
  opened: 'Hai aperto un pagamento per questo ordine. Se chiudi la pagina, il link qui sotto ti riporta lì.',
  paid: shop => `${shop} ha ricevuto il tuo pagamento. Grazie.`,
  ignore: 'Se non hai ordinato nulla, puoi ignorare questa e-mail.',
}
