import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: '由 Florin 提供付款服務',
  what: '此伺服器為網路商店收款。',
  buyers: '您是來付款的嗎？請開啟商店提供給您的連結。',
  developers: '您在經營此伺服器或商店嗎？API 文件說明了如何建立訂單。',
  sandbox: '這是測試環境：如要試用，請建立訂單並開啟其付款頁面。您可以使用測試卡和測試幣付款。',
  reference: 'API 文件',
}
