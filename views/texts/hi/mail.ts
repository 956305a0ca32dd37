import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `${shop} पर आपका ऑर्डर`,
  opened: 'आपने इस ऑर्डर का भुगतान शुरू किया है। उस पर लौटने के लिए नीचे दिए गए लिंक का इस्तेमाल करें।',
  paid: shop => `${shop} को आपका भुगतान मिल गया है। धन्यवाद।`,
  ignore: 'अगर आपने यह ऑर्डर नहीं दिया है, तो इस ईमेल को अनदेखा करें।',
}
