/**
 * @module
 * The national identity, tax and insurance numbers that have check digits or a form of their own, by region.
 */
import { nationalIdChecks } from './national-id-checks.ts'

/** A kind of number that a state issues to its people. */
export interface NationalId {
  /** ISO 3166. */
  region: string
  /** Its form, with separators. */
  form: string
  /** Words before it, in lower case and without accents. */
  label: string
  /** A form that is found without a label too. */
  alone: string | undefined
  /** Whether its digits and letters, without separators, are valid. */
  isValid: (id: string) => boolean
}

/** Region, name, form, labels, and the form without a label: `=` is the same, `-` is none. */
const table = String.raw`AE ¦ Emirates ID ¦ 784[- ]?\d{4}[- ]?\d{7}[- ]?\d ¦ emirates id|id ¦ 784-\d{4}-\d{7}-\d
AR ¦ CUIL ¦ \d{2}-?\d{8}-?\d ¦ cui[lt] ¦ 2[0347]-\d{8}-\d
AT ¦ SVNR ¦ \d{4}[ ]?\d{6} ¦ svnr|sv-?nr|versicherungsn\p{L}*|sozialversicherung\p{L}* ¦ -
AU ¦ TFN ¦ \d{3} ?\d{3} ?\d{3} ¦ tfn|tax file (?:number|no) ¦ -
AU ¦ Medicare ¦ [2-6]\d{3} ?\d{5} ?\d ¦ medicare ¦ -
BE ¦ Rijksregister ¦ \d{2}\.?\d{2}\.?\d{2}[- ]?\d{3}[-. ]?\d{2} ¦ rijksregister\p{L}*|registre national|national register|nn|niss|insz|rrn ¦ \d{2}\.\d{2}\.\d{2}-\d{3}[-.]\d{2}
BG ¦ EGN ¦ \d{10} ¦ egn|егн ¦ -
BR ¦ CPF ¦ \d{3}\.?\d{3}\.?\d{3}-?\d{2} ¦ cpf ¦ \d{3}\.\d{3}\.\d{3}-\d{2}
CA ¦ SIN ¦ \d{3}[- ]?\d{3}[- ]?\d{3} ¦ sin|nas|social insurance(?: number)? ¦ -
CH ¦ AHV ¦ 756\.?\d{4}\.?\d{4}\.?\d{2} ¦ ahv\p{L}*|avs ¦ 756\.\d{4}\.\d{4}\.\d{2}
CL ¦ RUT ¦ \d{1,2}\.?\d{3}\.?\d{3}-[\dK] ¦ rut|run ¦ \d{1,2}\.\d{3}\.\d{3}-[\dK]
CN ¦ Resident ID ¦ \d{17}[\dX] ¦ 身份证\p{L}*|公民身份\p{L}* ¦ =
CZ ¦ Rodné číslo ¦ \d{6}/?\d{4} ¦ rodne cislo|rodneho cisla|rc|r\.c ¦ \d{6}/\d{4}
DE ¦ Steuer-ID ¦ \d{2} ?\d{3} ?\d{3} ?\d{3} ¦ steuer-?(?:id|identifikation\p{L}*)|steuerliche identifikation\p{L}*|idnr|tax id|tin ¦ -
DE ¦ Rentenversicherung ¦ \d{2} ?\d{6} ?[A-Z] ?\d{3} ¦ rentenversicherung\p{L}*|sozialversicherung\p{L}*|sv-?nummer|rvnr ¦ -
DK ¦ CPR ¦ \d{6}-?\d{4} ¦ cpr\p{L}*|personnummer ¦ -
EE ¦ Isikukood ¦ [1-8]\d{10} ¦ isikukood ¦ -
ES ¦ DNI ¦ \d{8}-?[A-Z] ¦ dni|nif|documento ¦ =
ES ¦ NIE ¦ [XYZ]-?\d{7}-?[A-Z] ¦ nie|nif ¦ =
FI ¦ Hetu ¦ \d{6}[-+A-FU-Y]\d{3}[\dA-Y] ¦ hetu|henkilotunnus\p{L}* ¦ =
FR ¦ NIR ¦ [1278] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2} ¦ nir|securite sociale|secu|insee ¦ =
GB ¦ NINO ¦ (?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D] ¦ ni(?:no?)?|national insurance ¦ (?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] \d{2} \d{2} \d{2} [A-D]
GB ¦ NHS number ¦ \d{3}[ -]?\d{3}[ -]?\d{4} ¦ nhs ¦ -
GR ¦ AMKA ¦ \d{11} ¦ αμκα|amka ¦ -
HK ¦ HKID ¦ [A-Z]{1,2}\d{6}\([\dA]\) ¦ hkid|身份證\p{L}*|identity card ¦ =
HR ¦ OIB ¦ \d{11} ¦ oib ¦ -
ID ¦ NIK ¦ \d{16} ¦ nik|ktp ¦ -
IE ¦ PPS ¦ \d{7}[A-W][A-IW]? ¦ ppsn?|pps no ¦ -
IL ¦ Teudat Zehut ¦ \d{8}-?\d ¦ ת\.?ז\.?|תעודת זהות|מספר זהות|teudat zehut ¦ -
IN ¦ Aadhaar ¦ [2-9]\d{3}[ -]?\d{4}[ -]?\d{4} ¦ aadhaa?r|आधार|uid(?:ai)? ¦ -
IN ¦ PAN ¦ [A-Z]{3}P[A-Z]\d{4}[A-Z] ¦ pan ¦ =
IS ¦ Kennitala ¦ \d{6}-?\d{4} ¦ kennitala|kt ¦ -
IT ¦ Codice fiscale ¦ [A-Z]{6}[\dL-NP-V]{2}[A-EHLMPR-T][\dL-NP-V]{2}[A-Z][\dL-NP-V]{3}[A-Z] ¦ codice fiscale|cf ¦ =
JP ¦ My Number ¦ \d{4}[- ]?\d{4}[- ]?\d{4} ¦ マイナンバー|個人番号|my number ¦ -
KR ¦ RRN ¦ \d{6}-?[1-8]\d{6} ¦ 주민\p{L}*|외국인등록\p{L}*|resident registration ¦ \d{6}-[1-8]\d{6}
KZ ¦ IIN ¦ \d{12} ¦ иин|жсн|iin ¦ -
LT ¦ Asmens kodas ¦ [1-6]\d{10} ¦ asmens kodas|a\.k ¦ -
LV ¦ Personas kods ¦ (?:\d{6}-?\d{5}) ¦ personas kods|p\.k ¦ -
MX ¦ CURP ¦ [A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{5}[A-Z\d]\d ¦ curp ¦ =
MY ¦ MyKad ¦ \d{6}-?\d{2}-?\d{4} ¦ mykad|nric|no\. kp|kad pengenalan ¦ \d{6}-\d{2}-\d{4}
NL ¦ BSN ¦ \d{4}\.?\d{2}\.?\d{2,3} ¦ bsn|burgerservicenummer|sofi\p{L}* ¦ -
NO ¦ Fødselsnummer ¦ \d{6} ?\d{5} ¦ fødselsn\p{L}*|fodselsn\p{L}*|personnummer|fnr ¦ -
NZ ¦ IRD ¦ \d{2,3}-?\d{3}-?\d{3} ¦ ird ¦ -
PL ¦ PESEL ¦ \d{11} ¦ pesel ¦ -
PT ¦ NIF ¦ \d{3} ?\d{3} ?\d{3} ¦ nif|contribuinte ¦ -
RO ¦ CNP ¦ [1-8]\d{12} ¦ cnp|cod numeric personal ¦ -
RS ¦ JMBG ¦ \d{13} ¦ jmbg|јмбг|emso ¦ -
RU ¦ SNILS ¦ \d{3}-?\d{3}-?\d{3}[- ]?\d{2} ¦ снилс ¦ \d{3}-\d{3}-\d{3}[- ]\d{2}
RU ¦ INN ¦ \d{12} ¦ инн ¦ -
SE ¦ Personnummer ¦ (?:\d{2})?\d{6}[-+]?\d{4} ¦ personnummer|pnr|person-?nr|samordningsnummer ¦ (?:\d{2})?\d{6}[-+]\d{4}
SG ¦ NRIC ¦ [STFGM]\d{7}[A-Z] ¦ nric|fin ¦ =
TH ¦ National ID ¦ \d-?\d{4}-?\d{5}-?\d{2}-?\d ¦ เลข\p{L}*|บัตรประชาชน\p{L}*|thai id ¦ \d-\d{4}-\d{5}-\d{2}-\d
TR ¦ TC Kimlik ¦ [1-9]\d{10} ¦ t\.?c\.?(?: kimlik)?|kimlik|tckn ¦ -
TW ¦ National ID ¦ [A-Z][1289]\d{8} ¦ 身分證\p{L}*|統一編號 ¦ =
UA ¦ RNOKPP ¦ \d{10} ¦ рнокпп|іпн|инн ¦ -
US ¦ SSN ¦ (?!000|666|9)\d{3}[- ]?(?!00)\d{2}[- ]?(?!0000)\d{4} ¦ ssn|social security|tax id|itin|tin ¦ (?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}
VN ¦ CCCD ¦ 0\d{11} ¦ cccd|can cuoc\p{L}*|dinh danh ¦ -
ZA ¦ ID number ¦ \d{6} ?\d{4} ?[01]\d\d ¦ id(?: number| no)?|identity ¦ -`

/** All of them, in order of region. */
export function nationalIdForms(): readonly NationalId[] {
  return table.split('\n').map((line) => {
    const [region, name, form, label, alone] = line.split(' ¦ ') as [string, string, string, string, string]
    return {
      region,
      form,
      label,
      alone: alone === '=' ? form : alone === '-' ? undefined : alone,
      isValid: nationalIdChecks[`${region} ${name}`] ?? (() => true),
    }
  })
}
