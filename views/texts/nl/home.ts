import type { Texts } from '../types.ts'

export const home: Texts['home'] = {
  title: 'Betalingen via Florin',
  what: 'Deze server verwerkt betalingen voor webwinkels.',
  buyers: 'Wil je betalen? Open de link die je van de winkel hebt gekregen.',
  developers:
    'Beheer je deze server of een winkel? In de API-documentatie staat hoe je een bestelling aanmaakt.',
  sandbox:
    'Dit is een testomgeving: maak een bestelling aan en open de betaalpagina om het te proberen. ' +
    'Je kunt betalen met testkaarten en testmunten.',
  reference: 'API-documentatie',
}
