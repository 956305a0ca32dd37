import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Zamówienie w ${shop}`,
  opened: 'Rozpoczęto płatność za to zamówienie. Poniższy link prowadzi z powrotem.',
  paid: shop => `Płatność dotarła. Sprzedawca: ${shop}. Dziękujemy.`,
  ignore: 'Jeśli to nie Twoje zamówienie, zignoruj tę wiadomość.',
}
