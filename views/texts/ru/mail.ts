import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `Ваш заказ в ${shop}`,
  opened: 'Вы открыли оплату этого заказа. Если вы закроете страницу, ссылка ниже вернёт вас к ней.',
  paid: shop => `Магазин ${shop} получил ваш платёж. Спасибо.`,
  ignore: 'Если вы ничего не заказывали, просто проигнорируйте это письмо.',
}
