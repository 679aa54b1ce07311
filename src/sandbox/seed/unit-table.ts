/** Units of measure of UN/ECE Recommendation 20, in order of id: code, English name, Turkish name. */
const units = `
  C62 | one                          | adet
  KGM | kilogram                     | kilogram
  GRM | gram                         | gram
  MGM | milligram                    | miligram
  MC  | microgram                    | mikrogram
  HGM | hectogram                    | hektogram
  DTN | decitonne                    | kental (100 kg)
  TNE | tonne (metric ton)           | ton
  KTN | kilotonne                    | kiloton
  STN | ton (US), short ton          | kısa ton (ABD)
  LTN | ton (UK), long ton           | uzun ton (İngiliz)
  LBR | pound                        | libre
  ONZ | ounce (avoirdupois)          | ons
  APZ | troy ounce                   | troy ons
  CTM | metric carat                 | metrik karat
  CCT | carrying capacity in metric ton | metrik ton taşıma kapasitesi
  LTR | litre                        | litre
  MLT | millilitre                   | mililitre
  CLT | centilitre                   | santilitre
  DLT | decilitre                    | desilitre
  HLT | hectolitre                   | hektolitre
  4G  | microlitre                   | mikrolitre
  LPA | litre of pure alcohol        | litre saf alkol
  GLL | gallon (US)                  | galon (ABD)
  GLI | gallon (UK)                  | galon (İngiliz)
  PTL | liquid pint (US)             | sıvı pint (ABD)
  QTL | liquid quart (US)            | sıvı quart (ABD)
  OZA | fluid ounce (US)             | sıvı ons (ABD)
  OZI | fluid ounce (UK)             | sıvı ons (İngiliz)
  BLL | barrel (US)                  | varil (ABD)
  MTR | metre                        | metre
  MMT | millimetre                   | milimetre
  CMT | centimetre                   | santimetre
  DMT | decimetre                    | desimetre
  KMT | kilometre                    | kilometre
  4H  | micrometre (micron)          | mikrometre
  INH | inch                         | inç
  FOT | foot                         | fit
  YRD | yard                         | yarda
  SMI | mile (statute mile)          | mil
  NMI | nautical mile                | deniz mili
  MTK | square metre                 | metrekare
  MMK | square millimetre            | milimetrekare
  CMK | square centimetre            | santimetrekare
  DMK | square decimetre             | desimetrekare
  KMK | square kilometre             | kilometrekare
  ARE | are                          | ar
  ACR | acre                         | akre
  INK | square inch                  | inçkare
  FTK | square foot                  | fitkare
  YDK | square yard                  | yardakare
  MTQ | cubic metre                  | metreküp
  MMQ | cubic millimetre             | milimetreküp
  CMQ | cubic centimetre             | santimetreküp
  DMQ | cubic decimetre              | desimetreküp
  INQ | cubic inch                   | inçküp
  FTQ | cubic foot                   | fitküp
  YDQ | cubic yard                   | yardaküp
  PR  | pair                         | çift
  NPR | number of pairs              | çift sayısı
  NAR | number of articles           | parça sayısı
  NMP | number of packs              | paket sayısı
  NCL | number of cells              | hücre sayısı
  DZN | dozen                        | düzine
  DPC | dozen piece                  | düzine parça
  DPR | dozen pair                   | düzine çift
  GRO | gross                        | grosa
  CEN | hundred                      | yüz adet
  MIL | thousand                     | bin adet
  MIO | million                      | milyon adet
  SET | set                          | takım
  KT  | kit                          | kit
  EA  | each                         | tane
  LS  | lump sum                     | götürü bedel
  IE  | person                       | kişi
  HEA | head                         | baş
  LEF | leaf                         | yaprak
  RM  | ream                         | top (500 yaprak)
  P1  | percent                      | yüzde
  SEC | second                       | saniye
  MIN | minute                       | dakika
  HUR | hour                         | saat
  DAY | day                          | gün
  WEE | week                         | hafta
  MON | month                        | ay
  ANN | year                         | yıl
  WTT | watt                         | vat
  KWT | kilowatt                     | kilovat
  MAW | megawatt                     | megavat
  WHR | watt hour                    | vat saat
  KWH | kilowatt hour                | kilovat saat
  MWH | megawatt hour                | megavat saat
  GWH | gigawatt hour                | gigavat saat
  JOU | joule                        | jul
  KJO | kilojoule                    | kilojul
  VLT | volt                         | volt
  KVT | kilovolt                     | kilovolt
  KVA | kilovolt - ampere            | kilovolt amper
  AMP | ampere                       | amper
  OHM | ohm                          | ohm
  HTZ | hertz                        | hertz
  KHZ | kilohertz                    | kilohertz
  MHZ | megahertz                    | megahertz
  PAL | pascal                       | paskal
  KPA | kilopascal                   | kilopaskal
  MPA | megapascal                   | megapaskal
  BAR | bar                          | bar
  CEL | degree Celsius               | santigrat derece
  KEL | kelvin                       | kelvin
  FAH | degree Fahrenheit            | fahrenhayt derece
  NEW | newton                       | newton
  LUM | lumen                        | lümen
  LUX | lux                          | lüks
  CDL | candela                      | kandela
  KMH | kilometre per hour           | kilometre/saat
  MTS | metre per second             | metre/saniye
  MQH | cubic metre per hour         | metreküp/saat
  NIU | number of international units | uluslararası birim sayısı
  GFI | gram of fissile isotope      | gram bölünebilir izotop
  KSD | kilogram of substance 90 % dry | kilogram, yüzde 90 kuru madde
  KNI | kilogram of nitrogen         | kilogram azot
  KPP | kilogram of phosphorus pentoxide (phosphoric anhydride) | kilogram difosfor pentaoksit
  KPO | kilogram of potassium oxide  | kilogram potasyum oksit
  KPH | kilogram of potassium hydroxide (caustic potash) | kilogram potasyum hidroksit (potas kostik)
  KSH | kilogram of sodium hydroxide (caustic soda) | kilogram sodyum hidroksit (kostik soda)
  KUR | kilogram of uranium          | kilogram uranyum
`

/** *Assumed*: the most requested units come first in the default order. All others have orderNumber 0. */
const mostRequested = ['C62', 'KGM', 'PR', 'SET', 'MTR']

export interface UnitFacts {
  readonly code: string
  readonly nameEn: string
  readonly nameTr: string
  readonly orderNumber: number
}

export const unitTable: readonly UnitFacts[] = units
  .trim()
  .split('\n')
  .map((line) => {
    const [code = '', nameEn = '', nameTr = ''] = line.split('|').map((part) => part.trim())
    const orderNumber = mostRequested.includes(code) ? 10 * (mostRequested.length - mostRequested.indexOf(code)) : 0
    return { code, nameEn, nameTr, orderNumber }
  })
