import type { Texts } from '../types.ts'

export const mail: Texts['mail'] = {
  linkSubject: shop => `${shop} पर आपका ऑर्डर`,
  opened: 'आपने इस ऑर्डर के लिए भुगतान खोला है। अगर आप पेज बंद कर दें, तो नीचे दिया गया लिंक आपको वापस ले आएगा।',
  paid: shop => `${shop} को आपका भुगतान मिल गया है। धन्यवाद।`,
  ignore: 'अगर आपने कुछ ऑर्डर नहीं किया है, तो इस ईमेल को अनदेखा करें।',
}
