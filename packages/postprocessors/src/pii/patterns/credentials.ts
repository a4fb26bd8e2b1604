import { lazy } from '@x/core/values'
import { credentialForm } from '@x/core-model/text'
import type { PatternKind } from './pattern-kind.ts'
import type { Range } from './plain-signs.ts'

const forms = /* @__PURE__ */ lazy(() => ({
  /** User and password in an address. */
  address: /(?<![a-z\d+.-])[a-z][a-z\d+.-]{1,20}:\/\/([^\s/?#@"'<>:${}]{0,100}:[^\s/?#@"'<>${}]{1,200})(?=@)/gi,
  /** A word for a password or key, and its value. */
  labelled:
    /(?:pass(?:word|wort|wörter|wd|phrase)|pwd|contraseña|mot de passe|senha|wachtwoord|lösenord|hasło|пароль|密码|密碼|パスワード|비밀번호|secret|api[_ -]?key|access[_ -]?key|(?:access|auth|bearer|refresh|api)[_ -]?token)s?["'`*]{0,3} {0,2}(?:[:=：]|=>|is|ist) {0,2}["'`*]{0,3}([^\s"'`,;<>(){}[\]$|]{4,80})/giu,
  scheme: /(?<![\p{L}\d])(?:Bearer|Basic) ([\w.~+/-]{20,}=*)/gu,
}))

/**
 * Keys and tokens of services by their form, private keys, user and password in an address, and values behind words such as `password:`.
 * A value needs a digit or a sign, so that `password: string` is nothing. Put it before `emails`, which finds a part of an address.
 */
export const credentials: PatternKind = { group: 'CREDENTIAL', find: findCredentials }

function findCredentials(text: string): Range[] {
  const found = [...text.matchAll(credentialForm())].map(({ 0: token, index }) => ({
    start: index,
    end: index + token.length,
  }))
  const { address, labelled, scheme } = forms()
  for (const form of [address, labelled, scheme]) {
    for (const match of text.matchAll(form)) {
      const value = match[1]!.replace(/(?<![.!?:])[.!?:]+$/, '')
      if (form === labelled && !isSecret(value)) continue
      const start = match.index + match[0].length - match[1]!.length
      found.push({ start, end: start + value.length })
    }
  }
  return found
}

/** Whether a value is no word, no name of a variable and no type of a program. */
function isSecret(value: string): boolean {
  if (!/\d|[!?#%&*^~]/.test(value) || !/[\p{L}!?#%&*^~]/u.test(value)) return false
  return !/^\p{L}+[?!*]*$|^[A-Z_]+\d?$|^[\p{Ll}_]\w*(?:\.\w+)+$/u.test(value)
}
