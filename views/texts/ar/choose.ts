import { plural } from '../plural.ts'
import type { Texts } from '../types.ts'

export const choose: Texts['choose'] = {
  title: 'اختر طريقة الدفع',
  byProvider: 'بطاقة أو تحويل مصرفي أو محفظة رقمية',
  crypto: 'عملات رقمية',
  card: 'بطاقة',
  bank: 'تحويل مصرفي',
  through: provider => `عبر ${provider}`,
  moreWays: 'طرق دفع أخرى',
  moreCoins: 'عملات أخرى',
  filter: 'ابحث عن طريقة دفع',
  noMatch: 'لا توجد طريقة دفع مطابقة.',
  usual: (fee, time) => `رسوم الشبكة عادةً نحو ${fee}، والمدة نحو ${time}`,
  networks: count =>
    plural('ar', count, {
      zero: 'لا شبكات',
      one: 'شبكة واحدة',
      two: 'شبكتان',
      few: `${count} شبكات`,
      many: `${count} شبكة`,
      other: `${count} شبكة`,
    }),
  payWith: method => `الدفع عبر ${method}`,
  continueTo: method => `المتابعة إلى ${method}`,
  keepPageOpen: method => `يُفتح ${method} في علامة تبويب جديدة. عُد إلى هذه الصفحة لترى متى وصلت دفعتك.`,
  handledBy: company =>
    `تتولّى ${company} معالجة الدفع وتدفع للمتجر بعملة رقمية. قد تطلب إثبات هوية وتضيف رسومها ` + 'الخاصة.',
  handledByNamed:
    'تتولّى الشركة المذكورة معالجة الدفع وتدفع للمتجر بعملة رقمية. قد تطلب إثبات هوية وتضيف ' +
    'رسومها الخاصة.',
  back: 'العودة إلى الدفعة التي بدأتها',
  noMethod: 'لا توجد طريقة دفع',
  nothing: 'لا تتوفر أي طريقة دفع حاليًا',
  providerAway: 'مزوّد خدمة الدفع لا يستجيب. يُرجى المحاولة بعد بضع دقائق.',
  noneForAmount: 'لا تتوفر لهذا المبلغ أي من طرق الدفع لدى المتجر.',
  openUntil: time => `يبقى هذا الطلب مفتوحًا حتى ${time}.`,
  cardsAway: 'الدفع بالبطاقة أو التحويل المصرفي أو المحفظة الرقمية غير متاح حاليًا.',
  tryInMinutes: 'يُرجى المحاولة بعد بضع دقائق.',
  networksAway: networks => `لا يمكننا الوصول إلى ${networks} حاليًا.`,
  otherOrLater: 'اختر طريقة دفع أخرى، أو حاول مرة أخرى بعد بضع دقائق.',
  unavailable: method => `${method} غير متاح`,
  chooseOther: 'لم يُخصم منك أي مبلغ. اختر طريقة أخرى.',
  declined: method => `رفض ${method} الدفعة`,
  tryAgainOrOther:
    'لم تكتمل الدفعة. إذا أظهر مصرفك مبلغًا محجوزًا، فسيُرفع الحجز تلقائيًا. حاول مرة أخرى أو اختر طريقة ' +
    'أخرى.',
}
