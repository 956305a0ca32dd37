import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `ההזמנה שלך אצל ${shop}`,
  opened: 'פתחת תשלום עבור הזמנה זו. אם העמוד ייסגר, הקישור שלמטה יחזיר אותך אליו.',
  paid: shop => `התשלום התקבל אצל ${shop}. תודה.`,
  ignore: 'אם לא הזמנת דבר, אפשר להתעלם מהודעה זו.',
}
