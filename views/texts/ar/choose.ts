import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'اختر طريقة الدفع',
  byProvider: 'بطاقة أو تحويل مصرفي أو محفظة رقمية',
  crypto: 'عملات رقمية',
  networks: count =>
    plural('ar', count, {
      zero: 'لا شبكات',
      one: 'شبكة واحدة',
      two: 'شبكتان',
      few: `${count} شبكات`,
      many: `${count} شبكة`,
      other: `${count} شبكة`,
    }),
  minimum: amount => `الحد الأدنى ${amount}`,
  payWith: method => `الدفع عبر ${method}`,
  continueTo: method => `المتابعة إلى ${method}`,
  keepPageOpen: method => `يُفتح ${method} في علامة تبويب جديدة. أبقِ هذه الصفحة مفتوحة، فستُظهر وصول دفعتك.`,
  back: 'العودة إلى الدفعة التي بدأتها',
  noMethod: 'لا توجد طريقة دفع',
  nothing: 'لا تتوفر أي طريقة دفع حاليًا',
  providerAway: 'مزوّد خدمة الدفع لا يستجيب. يُرجى المحاولة بعد بضع دقائق.',
  noneForAmount: 'لا تتوفر لهذا المبلغ أي من طرق الدفع لدى المتجر.',
  openUntil: time => `يبقى هذا الطلب مفتوحًا حتى ${time}.`,
  cardsAway: 'الدفع بالبطاقة أو التحويل المصرفي أو المحفظة الرقمية غير متاح حاليًا.',
  tryInMinutes: 'يُرجى المحاولة بعد بضع دقائق.',
  unavailable: method => `${method} غير متاح`,
  chooseOther: 'لم يُخصم منك أي مبلغ. اختر طريقة أخرى.',
  declined: method => `رفض ${method} الدفعة`,
  tryAgainOrOther: 'لم يُخصم منك أي مبلغ. حاول مرة أخرى أو اختر طريقة أخرى.',
}
