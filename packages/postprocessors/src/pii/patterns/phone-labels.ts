/**
 * @module
 * Words before a telephone number, in many languages: stems, what compounds and inflections add to them, and words between label and
 * number.
 */
import { lazy } from '@x/core/values'
import { digitsOf, type SplitNumber } from './across-lines.ts'

/** The characters before a number that are searched for a label. */
const WINDOW = 72

// Without accents and in lower case. `*` stands for further letters of the same word.
const stems = [
  // Latin script
  'tele(?:ph|f)o+n*|tele(?:ph|f)ax*|telef|telepon*|telekopie*|telecopi*|telec|tel|tlf|tlfn|telf|tfno|tfn|tfl|telp|tlp|tf',
  '(?:tele|cell|mobile|home|work|office|contact|customer|business|main|day|evening|my|your)?[_-]?phones?[_-]?(?:no|nr|number|num)?|ph|fon|fone|foon|fón|ffon|cell|cellular*|celular*|cel|selfoon|landline|hotline|helpline|freephone|whats ?app|sms|viber|fax*|telefax*|gsm|pager',
  'mobil|mobile|mobili?tel*|mobilfunk*|mobiln*|mobilus*|mobiel*|mobiil*|mobitel*|mobila?is|movil*|mob|handy(?:s|nr|nummer*|no)?|natel|portable|cep|gsm*|telemovel*',
  '(?:call|ring|text|reach|phone) (?:us|me|her|him|them)|ligne directe|festnetz*|ruckruf*|rufnummer*|durchwahl*|notruf*|numero vert|puh(?:elin*)?|matkapuh*|kannykka*|talr*|komork*|kom|sim(?:i|anumer*)|farsim*|simu|guthan|symudol|hp|sdt|dt|dien thoai|đien thoai|đt|sđt|di đong|di dong|so may|telepono|bimbit',
  // Greek, Cyrillic, Armenian, Georgian
  'τηλ(?:εφων*)?|κινητ*|φαξ|тел(?:еф(?:он*)?)?|моб(?:ил*)?|сот(?:ов*)?|факс*|հեռ*|բջջ*|ტელ*|მობ*',
].join('|')
/** Stems in scripts without upper and lower case, where words are not separated or have prefixes. */
const joined = [
  '电话|電話|手机|手機|固话|座机|热线|熱線|传真|傳真|联系方式|聯絡|微信|携帯|携带|連絡先|問い合わせ|ファックス|ファクス|전화|휴대폰|휴대전화|핸드폰|연락처|팩스|모바일|폰번호|직통',
  'هاتف|هواتف|تلفون|تليفون|تلفن|جوال|موبايل|موبائل|موبایل|محمول|نقال|همراه|فاكس|فکس|فون|واتساب|טלפונ|טלפון|טל[\'׳"]|נייד|סלולרי|פלאפון|פקס',
  'फोन|मोबाइल|संपर्क|दूरभाष|फैक्स|व्हाट्सएप|ফোন|মোবাইল|தொலைபேசி|கைபேசி|ఫోన్|మొబైల్|ಫೋನ್|ഫോൺ|ફોન|ਫ਼ੋਨ|โทร|มือถือ|เบอร์|แฟกซ์|ទូរស័ព្ទ|ໂທ|ဖုန်း|ስልክ',
  '☎|☏|✆|📞|📱|📠|🖷',
].join('|')
/** Words for a number, a place or a manner between label and number. */
const links =
  'नंबर|नम्बर|رقم|מספר|号码|號碼|番号|번호는?|nomor|cislo|numarasi|n(?:um*|ro|r|os?|[°º])|номер*|αριθμ*|n°|is|ist|es|est|e|lautet|at|on|under|unter|office|home|work|direct|private?|privat|dienstlich|geschaftlich|buro|central|zentrale|me|us|now|fax|mobile?|de|del|da|di|le|al|au|ao|para|por|no|the|am|op|pa|na|по|на|le|oder|or|e|y|ou|kom|contact|contacto|contato|kontakt|telefonu?|values?|wert|valeur|valor|valore|waarde|varde|verdi|vaerdi|arvo|wartosc|hodnota|ertek|deger|nilai|значение|τιμη'
/** Labels that are also other words: they count before a number with the form of a national one. */
const weak = [
  'contact*|kontakt*|contato*|contacto*|recapito|utenza|fisso|fixe|fijo|fixo|standard|ligne|direct (?:dial|line)|linea diretta|bel|ring|dial|text|call|reach|ruf(?:en)?|erreichbar|appel*|joignable|llam*|chiam*|ligue|zadzwon|dzwon|soita|ringe?|звон*|позвон*|номер*|number|numero|nummer|rufnr|arayin|emergency|numara*',
  '联系|聯繫|致电|拨打|客服|お電話|まで|番号|연락|전화|للتواصل|اتصل|رقم|להתקשר|חייגו|ติดต่อ|liên hệ|gọi',
] as const

const rules = /* @__PURE__ */ lazy(() => {
  const gap = String.raw`[\s\p{P}\p{S}\uFE0F]{0,10}`
  const word = (forms: string) => forms.replaceAll('*', String.raw`\p{L}{0,18}`)
  const edge = String.raw`(?<![\p{Lu}\p{Ll}\p{N}])`
  const linked = String.raw`(?:${gap}(?:${word(links)})(?![\p{L}\p{N}])){0,4}`
  // Particles and words for a number that scripts without blanks add, such as 番号は.
  const joinedEnd = String.raw`[\p{L}\p{M}]{0,12}`
  const label = (bounded: string, free: string) =>
    new RegExp(
      String.raw`(?:${edge}(?:${word(bounded)})(?![\p{Lu}\p{Ll}\p{N}])|(?:${free})${joinedEnd})${linked}${gap}$`,
      'u',
    )
  return {
    strong: label(`${stems}|[tfm](?=[.:])`, joined),
    weak: label(
      `${weak[0]}|(?:call|ring|text|reach|bel|ruf\\p{L}{0,3}) ?(?:(?:sie|us|me|uns|her|him|them|mich|ons|mij|an|at|on|to|unter|je|mig|os) ?){1,4}`,
      weak[1],
    ),
    /** A row of a table or list as lines, with the label as the content of the line before: `field: Phone\nBerlin: 030 901820`. */
    cell: /(?:^|\n)[^\n:]{1,30}: ([^\n:]{2,24})\n[^\n:]{1,30}: $/,
    after: new RegExp(String.raw`^ ?[([] ?(?:${word(stems)}|${joined})(?![\p{Lu}\p{Ll}\p{N}])`, 'u'),
  }
})

/** How certainly a number is a telephone number, by the words around it: 2 is a label, 1 a word that often means something else. */
export function phoneLabel(text: string, start: number, end: number): 0 | 1 | 2 {
  const before = folded(text.slice(Math.max(0, start - WINDOW), start))
  const { strong, weak: weakForm, after, cell } = rules()
  if (strong.test(before) || after.test(folded(text.slice(end, end + 24)))) return 2
  // Few digits without groups are a count of what the cell before names.
  const label = /^[(0]|\D|\d{9}/.test(text.slice(start, end)) ? cell.exec(before)?.[1] : undefined
  return weakForm.test(before) || (label !== undefined && strong.test(` ${label} `)) ? 1 : 0
}

const device =
  /(?<![\p{L}\p{N}])(?:mobiles?|mobil|phones|cells?|cellular|handys|gsm|sms|fax|portables?|móvil|móviles)["'*`]{0,3}\s?[:=|\n][\s"'*`[({-]{0,8}$/iu

/** Whether a short number without groups stands behind a word that also names devices: `mobile: 120000` is a count. */
export function isCount(text: string, start: number, end: number): boolean {
  return (
    end - start < 8 &&
    /^[1-9]\d+$/.test(text.slice(start, end)) &&
    device.test(text.slice(Math.max(0, start - 24), start))
  )
}

/** Whether a line break separates the groups of one national number: the first part is an area code, or a few digits behind a label. */
export function isOneNational({ before, after, text, start }: SplitNumber): boolean {
  const [first, total] = [digitsOf(before).length, digitsOf(before + after).length]
  if (first > 6 || total < 7 || total > 15) return false
  const mayContinue = first < 5 || /[-/]$/.test(before)
  return /^\(?0/.test(before) || (mayContinue && phoneLabel(text, start, start + before.length) === 2)
}

/** Returns words without accents and tags, in lower case; parts of names such as `mobilePhone` and `phone_number` are words. */
function folded(text: string): string {
  return text
    .replace(/<[^<>]{0,40}>/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036F\u093C]/g, '')
    .normalize('NFC')
}
