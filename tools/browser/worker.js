import { report } from './checks.js'

report('worker')
