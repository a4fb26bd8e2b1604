// Written by tools/character-names.ts from the package character-entities (MIT). Do not edit.

export const packedCharacterNames =
  "+9Tab NewLine+23excl QUOT,quot num dollar percnt AMP,amp apos lpar rpar ast,midast plus comma+2period sol+11colon semi L" +
  "T,lt equals GT,gt quest commat+27lsqb,lbrack bsol rsqb,rbrack Hat lowbar,UnderBar grave,DiacriticalGrave+27lcub,lbrace v" +
  "ert,verbar,VerticalLine rcub,rbrace+35nbsp,NonBreakingSpace iexcl cent pound curren yen brvbar sect Dot,die,uml,DoubleDo" +
  "t COPY,copy ordf laquo not shy REG,reg,circledR macr,strns deg pm,plusmn,PlusMinus sup2 sup3 acute,DiacriticalAcute micr" +
  "o para middot,CenterDot,centerdot cedil,Cedilla sup1 ordm raquo frac14 half,frac12 frac34 iquest Agrave Aacute Acirc Ati" +
  "lde Auml Aring,angst AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otild" +
  "e Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrav" +
  "e eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml div,divide oslash ugrave uacute " +
  "ucirc uuml yacute thorn yuml Amacr amacr Abreve abreve Aogon aogon Cacute cacute Ccirc ccirc Cdot cdot Ccaron ccaron Dca" +
  "ron dcaron Dstrok dstrok Emacr emacr+3Edot edot Eogon eogon Ecaron ecaron Gcirc gcirc Gbreve gbreve Gdot gdot Gcedil+2Hc" +
  "irc hcirc Hstrok hstrok Itilde itilde Imacr imacr+3Iogon iogon Idot imath,inodot IJlig ijlig Jcirc jcirc Kcedil kcedil k" +
  "green Lacute lacute Lcedil lcedil Lcaron lcaron Lmidot lmidot Lstrok lstrok Nacute nacute Ncedil ncedil Ncaron ncaron na" +
  "pos ENG eng Omacr omacr+3Odblac odblac OElig oelig Racute racute Rcedil rcedil Rcaron rcaron Sacute sacute Scirc scirc S" +
  "cedil scedil Scaron scaron Tcedil tcedil Tcaron tcaron Tstrok tstrok Utilde utilde Umacr umacr Ubreve ubreve Uring uring" +
  " Udblac udblac Uogon uogon Wcirc wcirc Ycirc ycirc Yuml Zacute zacute Zdot zdot Zcaron zcaron+20fnof+35imped+64gacute+66" +
  "jmath+143circ Hacek,caron+17Breve,breve dot,DiacriticalDot ring ogon tilde,DiacriticalTilde dblac,DiacriticalDoubleAcute" +
  "+52DownBreve+128Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho+2Sigma Tau Upsil" +
  "on Phi Chi Psi ohm,Omega+8alpha beta gamma delta epsi,epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho s" +
  "igmaf,sigmav,varsigma sigma tau upsi,upsilon phi chi psi omega+8thetav,thetasym,vartheta Upsi,upsih+3phiv,varphi,straigh" +
  "tphi piv,varpi+6Gammad gammad,digamma+19kappav,varkappa rhov,varrho+4epsiv,varepsilon,straightepsilon bepsi,backepsilon+" +
  "11IOcy DJcy GJcy Jukcy DScy Iukcy YIcy Jsercy LJcy NJcy TSHcy KJcy+2Ubrcy DZcy Acy Bcy Vcy Gcy Dcy IEcy ZHcy Zcy Icy Jcy" +
  " Kcy Lcy Mcy Ncy Ocy Pcy Rcy Scy Tcy Ucy Fcy KHcy TScy CHcy SHcy SHCHcy HARDcy Ycy SOFTcy Ecy YUcy YAcy acy bcy vcy gcy " +
  "dcy iecy zhcy zcy icy jcy kcy lcy mcy ncy ocy pcy rcy scy tcy ucy fcy khcy tscy chcy shcy shchcy hardcy ycy softcy ecy y" +
  "ucy yacy+2iocy djcy gjcy jukcy dscy iukcy yicy jsercy ljcy njcy tshcy kjcy+2ubrcy dzcy+7075ensp emsp emsp13 emsp14+2nums" +
  "p puncsp thinsp,ThinSpace hairsp,VeryThinSpace ZeroWidthSpace,NegativeThinSpace,NegativeThickSpace,NegativeMediumSpace,N" +
  "egativeVeryThinSpace zwnj zwj lrm rlm dash,hyphen+3ndash mdash horbar Vert,Verbar+2lsquo,OpenCurlyQuote rsquo,rsquor,Clo" +
  "seCurlyQuote sbquo,lsquor+2ldquo,OpenCurlyDoubleQuote rdquo,rdquor,CloseCurlyDoubleQuote bdquo,ldquor+2dagger Dagger,dda" +
  "gger bull,bullet+3nldr mldr,hellip+10permil pertenk prime Prime tprime bprime,backprime+4lsaquo rsaquo+4oline,OverBar+3c" +
  "aret+2hybull frasl+11bsemi+8qprime+8MediumSpace NoBreak af,ApplyFunction it,InvisibleTimes ic,InvisibleComma+73euro+47td" +
  "ot,TripleDot DotDot+38Copf,complexes+3incare+5gscr Hscr,hamilt,HilbertSpace Hfr,Poincareplane Hopf,quaternions planckh h" +
  "bar,hslash,planck,plankv Iscr,imagline Im,Ifr,image,imagpart Lscr,lagran,Laplacetrf ell+2Nopf,naturals numero copysr wp," +
  "weierp Popf,primes Qopf,rationals Rscr,realine Re,Rfr,real,realpart Ropf,reals rx+4TRADE,trade+2Zopf,integers+3mho Zfr,z" +
  "eetrf iiota+3Bscr,bernou,Bernoullis Cfr,Cayleys+2escr Escr,expectation Fscr,Fouriertrf+2Mscr,phmmat,Mellintrf oscr,order" +
  ",orderof aleph,alefsym beth gimel daleth+13DD,CapitalDifferentialD dd,DifferentialD ee,ExponentialE,exponentiale ii,Imag" +
  "inaryI+11frac13 frac23 frac15 frac25 frac35 frac45 frac16 frac56 frac18 frac38 frac58 frac78+50larr,slarr,LeftArrow,left" +
  "arrow,ShortLeftArrow uarr,UpArrow,uparrow,ShortUpArrow rarr,srarr,RightArrow,rightarrow,ShortRightArrow darr,DownArrow,d" +
  "ownarrow,ShortDownArrow harr,LeftRightArrow,leftrightarrow varr,UpDownArrow,updownarrow nwarr,nwarrow,UpperLeftArrow nea" +
  "rr,nearrow,UpperRightArrow searr,searrow,LowerRightArrow swarr,swarrow,LowerLeftArrow nlarr,nleftarrow nrarr,nrightarrow" +
  "+2rarrw,rightsquigarrow Larr,twoheadleftarrow Uarr Rarr,twoheadrightarrow Darr larrtl,leftarrowtail rarrtl,rightarrowtai" +
  "l mapstoleft,LeftTeeArrow mapstoup,UpTeeArrow map,mapsto,RightTeeArrow mapstodown,DownTeeArrow+2larrhk,hookleftarrow rar" +
  "rhk,hookrightarrow larrlp,looparrowleft rarrlp,looparrowright harrw,leftrightsquigarrow nharr,nleftrightarrow+2Lsh,lsh R" +
  "sh,rsh ldsh rdsh+2crarr cularr,curvearrowleft curarr,curvearrowright+3olarr,circlearrowleft orarr,circlearrowright lharu" +
  ",LeftVector,leftharpoonup lhard,DownLeftVector,leftharpoondown uharr,RightUpVector,upharpoonright uharl,LeftUpVector,uph" +
  "arpoonleft rharu,RightVector,rightharpoonup rhard,DownRightVector,rightharpoondown dharr,RightDownVector,downharpoonrigh" +
  "t dharl,LeftDownVector,downharpoonleft rlarr,rightleftarrows,RightArrowLeftArrow udarr,UpArrowDownArrow lrarr,leftrighta" +
  "rrows,LeftArrowRightArrow llarr,leftleftarrows uuarr,upuparrows rrarr,rightrightarrows ddarr,downdownarrows lrhar,leftri" +
  "ghtharpoons,ReverseEquilibrium rlhar,Equilibrium,rightleftharpoons nlArr,nLeftarrow nhArr,nLeftrightarrow nrArr,nRightar" +
  "row lArr,Leftarrow,DoubleLeftArrow uArr,Uparrow,DoubleUpArrow rArr,Implies,Rightarrow,DoubleRightArrow dArr,Downarrow,Do" +
  "ubleDownArrow iff,hArr,Leftrightarrow,DoubleLeftRightArrow vArr,Updownarrow,DoubleUpDownArrow nwArr neArr seArr swArr lA" +
  "arr,Lleftarrow rAarr,Rrightarrow+2zigrarr+7larrb,LeftArrowBar rarrb,RightArrowBar+16duarr,DownArrowUpArrow+8loarr roarr " +
  "hoarr ForAll,forall comp,complement part,PartialD exist,Exists nexist,nexists,NotExists empty,emptyv,emptyset,varnothing" +
  "+2Del,nabla in,isin,isinv,Element notin,notinva,NotElement+2ni,niv,SuchThat,ReverseElement notni,notniva,NotReverseEleme" +
  "nt+3prod,Product coprod,Coproduct Sum,sum minus mp,mnplus,MinusPlus plusdo,dotplus+2setmn,ssetmn,setminus,Backslash,smal" +
  "lsetminus lowast compfn,SmallCircle+2Sqrt,radic+3prop,vprop,propto,varpropto,Proportional infin angrt ang,angle angmsd,m" +
  "easuredangle angsph mid,smid,shortmid,VerticalBar nmid,nsmid,nshortmid,NotVerticalBar par,spar,parallel,shortparallel,Do" +
  "ubleVerticalBar npar,nspar,nparallel,nshortparallel,NotDoubleVerticalBar and,wedge or,vee cap cup int,Integral Int tint," +
  "iiint oint,conint,ContourIntegral Conint,DoubleContourIntegral Cconint cwint cwconint,ClockwiseContourIntegral awconint," +
  "CounterClockwiseContourIntegral there4,Therefore,therefore becaus,Because,because ratio Colon,Proportion minusd,dotminus" +
  "+2mDDot homtht sim,Tilde,thksim,thicksim bsim,backsim ac,mstpos acd wr,wreath,VerticalTilde nsim,NotTilde esim,eqsim,Equ" +
  "alTilde sime,simeq,TildeEqual nsime,nsimeq,NotTildeEqual cong,TildeFullEqual simne ncong,NotTildeFullEqual ap,asymp,thka" +
  "p,approx,TildeTilde,thickapprox nap,napprox,NotTildeTilde ape,approxeq apid bcong,backcong CupCap,asympeq bump,Bumpeq,Hu" +
  "mpDownHump bumpe,bumpeq,HumpEqual doteq,esdot,DotEqual eDot,doteqdot efDot,fallingdotseq erDot,risingdotseq Assign,colon" +
  "e,coloneq ecolon,eqcolon ecir,eqcirc cire,circeq+2wedgeq veeeq+2trie,triangleq+3equest,questeq ne,NotEqual equiv,Congrue" +
  "nt nequiv,NotCongruent+2le,leq ge,geq,GreaterEqual lE,leqq,LessFullEqual gE,geqq,GreaterFullEqual lnE,lneqq gnE,gneqq Lt" +
  ",ll,NestedLessLess Gt,gg,NestedGreaterGreater twixt,between NotCupCap nlt,nless,NotLess ngt,ngtr,NotGreater nle,nleq,Not" +
  "LessEqual nge,ngeq,NotGreaterEqual lsim,lesssim,LessTilde gsim,gtrsim,GreaterTilde nlsim,NotLessTilde ngsim,NotGreaterTi" +
  "lde lg,lessgtr,LessGreater gl,gtrless,GreaterLess ntlg,NotLessGreater ntgl,NotGreaterLess pr,prec,Precedes sc,succ,Succe" +
  "eds prcue,preccurlyeq,PrecedesSlantEqual sccue,succcurlyeq,SucceedsSlantEqual prsim,precsim,PrecedesTilde scsim,succsim," +
  "SucceedsTilde npr,nprec,NotPrecedes nsc,nsucc,NotSucceeds sub,subset sup,supset,Superset nsub nsup sube,subseteq,SubsetE" +
  "qual supe,supseteq,SupersetEqual nsube,nsubseteq,NotSubsetEqual nsupe,nsupseteq,NotSupersetEqual subne,subsetneq supne,s" +
  "upsetneq+2cupdot uplus,UnionPlus sqsub,sqsubset,SquareSubset sqsup,sqsupset,SquareSuperset sqsube,sqsubseteq,SquareSubse" +
  "tEqual sqsupe,sqsupseteq,SquareSupersetEqual sqcap,SquareIntersection sqcup,SquareUnion oplus,CirclePlus ominus,CircleMi" +
  "nus otimes,CircleTimes osol odot,CircleDot ocir,circledcirc oast,circledast+2odash,circleddash plusb,boxplus minusb,boxm" +
  "inus timesb,boxtimes sdotb,dotsquare vdash,RightTee dashv,LeftTee top,DownTee bot,perp,UpTee,bottom+2models vDash,Double" +
  "RightTee Vdash Vvdash VDash nvdash nvDash nVdash nVDash prurel+2vltri,LeftTriangle,vartriangleleft vrtri,RightTriangle,v" +
  "artriangleright ltrie,trianglelefteq,LeftTriangleEqual rtrie,trianglerighteq,RightTriangleEqual origof imof mumap,multim" +
  "ap hercon intcal,intercal veebar+2barvee angrtvb lrtri Wedge,xwedge,bigwedge Vee,xvee,bigvee xcap,bigcap,Intersection xc" +
  "up,Union,bigcup diam,Diamond,diamond sdot Star,sstarf divonx,divideontimes bowtie ltimes rtimes lthree,leftthreetimes rt" +
  "hree,rightthreetimes bsime,backsimeq cuvee,curlyvee cuwed,curlywedge Sub,Subset Sup,Supset Cap Cup fork,pitchfork epar l" +
  "tdot,lessdot gtdot,gtrdot Ll Gg,ggg leg,lesseqgtr,LessEqualGreater gel,gtreqless,GreaterEqualLess+3cuepr,curlyeqprec cue" +
  "sc,curlyeqsucc nprcue,NotPrecedesSlantEqual nsccue,NotSucceedsSlantEqual nsqsube,NotSquareSubsetEqual nsqsupe,NotSquareS" +
  "upersetEqual+3lnsim gnsim prnsim,precnsim scnsim,succnsim nltri,ntriangleleft,NotLeftTriangle nrtri,ntriangleright,NotRi" +
  "ghtTriangle nltrie,ntrianglelefteq,NotLeftTriangleEqual nrtrie,ntrianglerighteq,NotRightTriangleEqual vellip ctdot utdot" +
  " dtdot disin isinsv isins isindot notinvc notinvb+2isinE nisd xnis nis notnivc notnivb+7barwed,barwedge Barwed,doublebar" +
  "wedge+2lceil,LeftCeiling rceil,RightCeiling lfloor,LeftFloor rfloor,RightFloor drcrop dlcrop urcrop ulcrop bnot+2proflin" +
  "e profsurf+2telrec target+6ulcorn,ulcorner urcorn,urcorner dlcorn,llcorner drcorn,lrcorner+3frown,sfrown smile,ssmile+10" +
  "cylcty profalar+8topbot+7ovbar+2solbar+61angzarr+52lmoust,lmoustache rmoust,rmoustache+3tbrk,OverBracket bbrk,UnderBrack" +
  "et bbrktbrk+38OverParenthesis UnderParenthesis OverBrace UnderBrace+3trpezium+5elinters+60blank+165oS,circledS+56boxh,Ho" +
  "rizontalLine+2boxv+10boxdr+4boxdl+4boxur+4boxul+4boxvr+8boxvl+8boxhd+8boxhu+8boxvh+20boxH boxV boxdR boxDr boxDR boxdL b" +
  "oxDl boxDL boxuR boxUr boxUR boxuL boxUl boxUL boxvR boxVr boxVR boxvL boxVl boxVL boxHd boxhD boxHD boxHu boxhU boxHU b" +
  "oxvH boxVh boxVH+20uhblk+4lhblk+4block+9blk14 blk12 blk34+14squ,Square,square+9squf,squarf,blacksquare,FilledVerySmallSq" +
  "uare EmptyVerySmallSquare+2rect marker+3fltns+2xutri,bigtriangleup utrif,blacktriangle utri,triangle+3rtrif,blacktriangl" +
  "eright rtri,triangleright+4xdtri,bigtriangledown dtrif,blacktriangledown dtri,triangledown+3ltrif,blacktriangleleft ltri" +
  ",triangleleft+7loz,lozenge cir+33tridot+3xcirc,bigcirc+9ultri urtri lltri EmptySmallSquare FilledSmallSquare+9starf,bigs" +
  "tar star+8phone+50female+2male+30spades,spadesuit+3clubs,clubsuit+2hearts,heartsuit diams,diamondsuit+4sung+3flat natur," +
  "natural sharp+164check,checkmark+4cross+9malt,maltese+22sext+34VerticalSeparator+26lbbrk rbbrk+85bsolhsub suphsol+29lobr" +
  "k,LeftDoubleBracket robrk,RightDoubleBracket lang,langle,LeftAngleBracket rang,rangle,RightAngleBracket Lang Rang loang " +
  "roang+8xlarr,LongLeftArrow,longleftarrow xrarr,LongRightArrow,longrightarrow xharr,LongLeftRightArrow,longleftrightarrow" +
  " xlArr,Longleftarrow,DoubleLongLeftArrow xrArr,Longrightarrow,DoubleLongRightArrow xhArr,Longleftrightarrow,DoubleLongLe" +
  "ftRightArrow+2xmap,longmapsto+3dzigrarr+259nvlArr nvrArr nvHarr Map+7lbarr rbarr,bkarow lBarr rBarr,dbkarow RBarr,drbkar" +
  "ow DDotrahd UpArrowBar DownArrowBar+3Rarrtl+3latail ratail lAtail rAtail larrfs rarrfs larrbfs rarrbfs+3nwarhk nearhk se" +
  "arhk,hksearow swarhk,hkswarow nwnear toea,nesear tosa,seswar swnwar+9rarrc+2cudarrr ldca rdca cudarrl larrpl+3curarrm cu" +
  "larrp+8rarrpl+3harrcir Uarrocir lurdshar ldrushar+3LeftRightVector RightUpDownVector DownLeftRightVector LeftUpDownVecto" +
  "r LeftVectorBar RightVectorBar RightUpVectorBar RightDownVectorBar DownLeftVectorBar DownRightVectorBar LeftUpVectorBar " +
  "LeftDownVectorBar LeftTeeVector RightTeeVector RightUpTeeVector RightDownTeeVector DownLeftTeeVector DownRightTeeVector " +
  "LeftUpTeeVector LeftDownTeeVector lHar uHar rHar dHar luruhar ldrdhar ruluhar rdldhar lharul llhard rharul lrhard udhar," +
  "UpEquilibrium duhar,ReverseUpEquilibrium RoundImplies erarr simrarr larrsim rarrsim rarrap ltlarr+2gtrarr subrarr+2supla" +
  "rr lfisht rfisht ufisht dfisht+6lopar ropar+5lbrke rbrke lbrkslu rbrksld lbrksld rbrkslu langd rangd lparlt rpargt gtlPa" +
  "r ltrPar+4vzigzag+2vangrt angrtvbd+7ange range dwangle uwangle angmsdaa angmsdab angmsdac angmsdad angmsdae angmsdaf ang" +
  "msdag angmsdah bemptyv demptyv cemptyv raemptyv laemptyv ohbar omid opar+2operp+2olcross odsold+2olcir ofcir olt ogt cir" +
  "scir cirE solb bsolb+4boxbox+4trisb rtriltri LeftTriangleBar RightTriangleBar+12iinfin infintie nvinfin+5eparsl smeparsl" +
  " eqvparsl+6lozf,blacklozenge+9RuleDelayed+2dsol+10xodot,bigodot xoplus,bigoplus xotime,bigotimes+2xuplus,biguplus+2xsqcu" +
  "p,bigsqcup+6qint,iiiint fpartint+3cirfnint awint rppolint scpolint npolint pointint quatint intlarhk+11pluscir plusacir " +
  "simplus plusdu plussim plustwo+2mcomma minusdu+3loplus roplus Cross timesd timesbar+2smashp lotimes rotimes otimesas Oti" +
  "mes odiv triplus triminus tritime iprod,intprod+3amalg capdot+2ncup ncap capand cupor cupcap capcup cupbrcap capbrcup cu" +
  "pcup capcap ccups ccaps+3ccupssm+3And Or andand oror orslope andslope+2andv orv andd ord+2wedbar+7sdote+4simdot+3congdot" +
  " easter apacir apE eplus pluse Esim Colone Equal+2eDDot,ddotseq equivDD ltcir gtcir ltquest gtquest les,leqslant,LessSla" +
  "ntEqual ges,geqslant,GreaterSlantEqual lesdot gesdot lesdoto gesdoto lesdotor gesdotol lap,lessapprox gap,gtrapprox lne," +
  "lneq gne,gneq lnap,lnapprox gnap,gnapprox lEg,lesseqqgtr gEl,gtreqqless lsime gsime lsimg gsiml lgE glE lesges gesles el" +
  "s,eqslantless egs,eqslantgtr elsdot egsdot el eg+3siml simg simlE simgE LessLess GreaterGreater+2glj gla ltcc gtcc lescc" +
  " gescc smt lat smte late bumpE pre,preceq,PrecedesEqual sce,succeq,SucceedsEqual+3prE scE prnE,precneqq scnE,succneqq pr" +
  "ap,precapprox scap,succapprox prnap,precnapprox scnap,succnapprox Pr Sc subdot supdot subplus supplus submult supmult su" +
  "bedot supedot subE,subseteqq supE,supseteqq subsim supsim+3subnE,subsetneqq supnE,supsetneqq+3csub csup csube csupe subs" +
  "up supsub subsub supsup suphsub supdsub forkv topfork mlcp+9Dashv,DoubleLeftTee+2Vdashl Barv vBar vBarv+2Vbar Not bNot r" +
  "nmid cirmid midcir topcir nhpar parsim+10parsl+53251fflig filig fllig ffilig ffllig;338+8605nrarrw+101npart+64nesim,NotE" +
  "qualTilde+9napid+3nbump,NotHumpDownHump nbumpe,NotHumpEqual nedot+22nlE,nleqq ngE,ngeqq,NotGreaterFullEqual+3nLtv,NotLes" +
  "sLess nGtv,NotGreaterGreater+20NotSucceedsTilde+16NotSquareSubset NotSquareSuperset+72nLl nGg+28notindot+4notinE+1594nra" +
  "rrc+156NotLeftTriangleBar NotRightTriangleBar+157ncongdot+3napE+13nles,nleqslant,NotLessSlantEqual nges,ngeqslant,NotGre" +
  "aterSlantEqual+35NotNestedLessLess NotNestedGreaterGreater+13npre,npreceq,NotPrecedesEqual nsce,nsucceq,NotSucceedsEqual" +
  "+21nsubE,nsubseteqq nsupE,nsupseteqq;20d2+60nvlt+2nvgt+8674nang+28nvsim+17nvap+23nvle nvge+5nLt nGt+23vnsub,nsubset,NotS" +
  "ubset vnsup,nsupset,NotSuperset+49nvltrie nvrtrie;200a+8287ThickSpace;333+8766acE;20e5+61bne+8740bnequiv+2204nparsl;fe00" +
  "+8745caps cups+62lvnE,lvertneqq gvnE,gvertneqq+33vsubne,varsubsetneq vsupne,varsupsetneq+8sqcaps sqcups+70lesg gesl+2001" +
  "smtes lates+30vsubnE,varsubsetneqq vsupnE,varsupsetneqq;6a+102fjlig;331+8765race"
