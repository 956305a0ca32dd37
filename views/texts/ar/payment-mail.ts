import type { Texts } from '../types.ts'

export const paymentMail: Texts['paymentMail'] = {
  subject: (title, shop) => `${title} – ${shop}`,
  part: 'وصل جزء من دفعتك',
  left: (left, total) => `بقي عليك دفع ${left} من أصل ${total}. يمكنك دفع الباقي بأي طريقة يوفرها المتجر.`,
  payRest: 'دفع الباقي',
  vanished: 'لم تعد دفعتك ظاهرة على شبكتها',
  refund: 'المبلغ المسترد',
  recorded: (shop, amount) => `سجّل ${shop} ردّ مبلغ ${amount} عن طلبك.`,
  refundedTotal: 'إجمالي ما تم رده',
  sentApart: shop => `يرسل ${shop} المبلغ إليك على حدة. إذا لم يصل فتواصل مع المتجر.`,
  sentBack: 'يعيد المبلغ مزوّد الدفع الذي دفعت من خلاله.',
  decides: 'المتجر هو من يقرر رد المبلغ.',
  leaveAddress: 'إذا أردت استعادة المبلغ فيمكنك ترك عنوان استرداد في صفحة طلبك.',
  worth: 'القيمة',
  why: shop => `وصلتك هذه الرسالة لأن هذا العنوان ذُكر في طلب لدى ${shop}.`,
}
