import { lazy } from '@x/core/values'

const form = /* @__PURE__ */ lazy(() => {
  /** Their own numbers follow them directly. */
  const things = [
    'orders?|invoices?|tickets?|tracking|shipments?|parcels?|waybills?|batch|lots?|serials?|sku|isbn|issn|ean|gtin|upc|asin|imei|imsi|iccid|vin|rma|doi|crc|uuid|hash|checksum',
    '(?:[a-z]{1,12}[_-])?ids?|[a-z]{1,12}id(?=["\\x60]?[=:])',
    'bestellung(?:en)?|rechnung|sendung|paket|aktenzeichen|commande|facture|colis|pedido|factura|envío|ordine|fattura|spedizione|fatura|encomenda|bestelling|factuur|order[a-z]{0,5}|faktura|sipariş',
    'zamówieni\\p{L}|przesyłk\\p{L}|objednávk\\p{L}|заказ\\p{L}?|накладн\\p{L}{2}',
  ].join('|')
  /** They have other numbers too, such as that of a telephone. */
  const others = [
    'purchase|bill|receipt|case|issue|booking|reservation|customer|client|member|user|device|model|product|part|item|article|transaction|request|trace|session|message|thread|art',
    'bestell|auftrags?|rechnungs?|sendungs?|paket|vorgangs?|artikel|kunden|mitglieds?|serien|geräte|teile|beleg|buchungs?|suivi|dossier|série|cliente?|klant',
  ].join('|')
  const numbers = 'numbers?|num|no|nr|nro|n°|nummer|ids?|code|key|ref|número|numero|numéro|numer|номер|numarası'
  return new RegExp(
    String.raw`(?:(?<![\p{L}\p{N}])(?:(?:${things})(?:[-_ .]{0,2}(?:de |da |do |di )?(?:${numbers}))?|(?:${others})[-_ .]{0,2}(?:de |da |do |di )?(?:${numbers}))|(?:订单|訂單|注文|発注|发票|發票|請求書|快递|商品|주문|송장|طلب|فاتورة|הזמנה|חשבונית)(?:号码?|號碼?|编号|編號|番号|번호)?)[\s.:#=№"'\x60|*-]{0,6}$`,
    'iu',
  )
})

/** Whether the words directly before a number name something else than a card or a telephone, such as an order, an article or a message. */
export function isOtherNumber(text: string, start: number): boolean {
  return form().test(text.slice(Math.max(0, start - 40), start))
}

const numbered =
  /(?:(?<!\p{L})(?:v|ver|versi[oó]n[ei]?s?|versão|versie|верси[яи]|releases?|build|rev|revision|firmware|driver|chapter|sections?|kapitel|abschnitt|clause|sec|art)|バージョン|版本|버전|第|§|(?:^|\n)#{1,6})[\s.:=v]{0,3}$/iu

/** Whether the word directly before numbers with four parts names something else than an address, such as a version. */
export function isVersion(text: string, start: number): boolean {
  return numbered.test(text.slice(Math.max(0, start - 16), start))
}

/** Whether the line above or below a place has nothing but three or more numbers, which are not of the kind that `isOne` knows. */
export function isInTable(
  text: string,
  index: number,
  isOne: (line: string) => boolean = (line) => /^\D*0/.test(line),
): boolean {
  const around = text.slice(Math.max(0, index - 80), index + 80)
  const at = Math.min(80, index)
  const above = around.slice(0, around.lastIndexOf('\n', at - 1) + 1).trimEnd()
  const [, below = ''] = around.slice(at).split('\n')
  return [above.slice(above.lastIndexOf('\n') + 1), below].some(
    (line) => /^\s*\d[\d.,]*(?:\s+\d[\d.,]*){2,}\s*$/.test(line) && !isOne(line),
  )
}
