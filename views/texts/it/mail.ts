import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Il tuo ordine presso ${shop}`,
  opened: 'Hai iniziato a pagare questo ordine. Usa il link qui sotto per tornare al pagamento.',
  paid: shop => `${shop} ha ricevuto il tuo pagamento. Grazie.`,
  ignore: 'Se non hai effettuato tu questo ordine, puoi ignorare questa e-mail.',
}
