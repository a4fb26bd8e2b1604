import { expect, it } from 'vitest'
import { ips } from './find-addresses.ts'

const ipsIn = (text: string) => ips.find(text).map(({ start, end }) => text.slice(start, end))

it.each([
  ['of version 4', 'from 192.168.0.1, port 80', ['192.168.0.1']],
  ['beside signs without case', '地址10.0.0.1。', ['10.0.0.1']],
  ['of version 6', '2001:db8::8a2e:370:7334 and fe80::1', ['2001:db8::8a2e:370:7334', 'fe80::1']],
  ['of version 6 with eight groups', '2001:db8:0:0:0:0:0:1', ['2001:db8:0:0:0:0:0:1']],
  ['of version 6 before the one of version 4 in it', '::ffff:0:192.0.2.1', ['::ffff:0:192.0.2.1', '192.0.2.1']],
])('finds an address %s', (_, text, expected) => {
  expect(ipsIn(text)).toEqual(expected)
})

it.each([
  ['with a part above 255', '300.1.1.1'],
  ['with five parts', '1.2.3.4.5'],
  ['that is a version number', 'version 1.2.3.4, v1.2.3.4'],
  [
    'that is a version number or a section in another language',
    'versión 1.2.3.4, versione 1.2.3.4, versão 1.2.3.4, versie 1.2.3.4, версия 1.2.3.4, バージョン 1.2.3.4, 版本 1.2.3.4, 버전 1.2.3.4, Art. 1.2.3.4, 第 1.2.3.4 节',
  ],
  ['that is a name in a program', 'a::b std::vector'],
  ['that is the number of a heading', '# 1.2.3.4 Use'],
  ['of hardware', '10:61:5b:15:51:46:01:27'],
  ['that is a time', '12:30:45'],
])('finds no address %s', (_, text) => {
  expect(ipsIn(text)).toEqual([])
})
