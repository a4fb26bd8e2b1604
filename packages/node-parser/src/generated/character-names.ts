// Written by fuzz/write-character-names.ts from the package character-entities (MIT). Do not edit.

export const packedCharacterNames =
  "+9Tab NewLine+23excl QUOT,quot num dollar percnt AMP,amp apos lpar rpar ast,midast plus comma+2period sol+11colon semi L" +
  "T,lt equals GT,gt quest commat+27lsqb,lbrack bsol rsqb,rbrack Hat lowbar,UnderBar grave,DiacriticalGrave+27lcub,lbrace v" +
  "ert,verbar,VerticalLine rcub,rbrace+35nbsp,NonBreakingSpace iexcl cent pound curren yen brvbar sect Dot,die,uml,DoubleDo" +
  "t COPY,copy ordf laquo not shy REG,reg,circledR macr,strns deg pm,plusmn,PlusMinus sup2 sup3 acute,DiacriticalAcute micr" +
  "o para middot,CenterDot,centerdot cedil,Cedilla sup1 ordm raquo frac14 half,frac12 frac34 iquest Agrave Aacute Acirc Ati" +
  "lde Auml Aring,angst AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otild" +
  "e Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig+24div,divide+9Amacr+2Abreve+2Aogon+2Cacute+2Ccirc+2Cdot+" +
  "2Ccaron+2Dcaron+2Dstrok+2Emacr+4Edot+2Eogon+2Ecaron+2Gcirc+2Gbreve+2Gdot+2Gcedil+2Hcirc+2Hstrok+2Itilde+2Imacr+4Iogon+2I" +
  "dot imath,inodot IJlig+2Jcirc+2Kcedil+2kgreen Lacute+2Lcedil+2Lcaron+2Lmidot+2Lstrok+2Nacute+2Ncedil+2Ncaron+2napos ENG+" +
  "2Omacr+4Odblac+2OElig+2Racute+2Rcedil+2Rcaron+2Sacute+2Scirc+2Scedil+2Scaron+2Tcedil+2Tcaron+2Tstrok+2Utilde+2Umacr+2Ubr" +
  "eve+2Uring+2Udblac+2Uogon+2Wcirc+2Ycirc+2Yuml Zacute+2Zdot+2Zcaron+21fnof+35imped+64gacute+66jmath+143circ Hacek,caron+1" +
  "7Breve,breve dot,DiacriticalDot ring ogon tilde,DiacriticalTilde dblac,DiacriticalDoubleAcute+52DownBreve+128Alpha Beta " +
  "Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho+2Sigma Tau Upsilon Phi Chi Psi ohm,Omega+12" +
  "epsi+13sigmaf,sigmav,varsigma+3upsi+12thetav,thetasym,vartheta Upsi,upsih+3phiv,varphi,straightphi piv,varpi+6Gammad dig" +
  "amma+19kappav,varkappa rhov,varrho+4epsiv,varepsilon,straightepsilon bepsi,backepsilon+11IOcy DJcy GJcy Jukcy DScy Iukcy" +
  " YIcy Jsercy LJcy NJcy TSHcy KJcy+2Ubrcy DZcy Acy Bcy Vcy Gcy Dcy IEcy ZHcy Zcy Icy Jcy Kcy Lcy Mcy Ncy Ocy Pcy Rcy Scy " +
  "Tcy Ucy Fcy KHcy TScy CHcy SHcy SHCHcy HARDcy Ycy SOFTcy Ecy YUcy YAcy+7123ensp emsp emsp13 emsp14+2numsp puncsp thinsp," +
  "ThinSpace hairsp,VeryThinSpace ZeroWidthSpace,NegativeThinSpace,NegativeThickSpace,NegativeMediumSpace,NegativeVeryThinS" +
  "pace zwnj zwj lrm rlm dash,hyphen+3ndash mdash horbar Vert,Verbar+2lsquo,OpenCurlyQuote rsquo,rsquor,CloseCurlyQuote sbq" +
  "uo,lsquor+2ldquo,OpenCurlyDoubleQuote rdquo,rdquor,CloseCurlyDoubleQuote bdquo,ldquor+2dagger Dagger,ddagger bull,bullet" +
  "+3nldr mldr,hellip+10permil pertenk prime Prime tprime bprime,backprime+4lsaquo rsaquo+4oline,OverBar+3caret+2hybull fra" +
  "sl+11bsemi+8qprime+8MediumSpace NoBreak af,ApplyFunction it,InvisibleTimes ic,InvisibleComma+73euro+47tdot,TripleDot Dot" +
  "Dot+38Copf,complexes+3incare+5gscr Hscr,hamilt,HilbertSpace Hfr,Poincareplane Hopf,quaternions planckh hbar,hslash,planc" +
  "k,plankv Iscr,imagline Im,Ifr,image,imagpart Lscr,lagran,Laplacetrf ell+2Nopf,naturals numero copysr wp,weierp Popf,prim" +
  "es Qopf,rationals Rscr,realine Re,Rfr,real,realpart Ropf,reals rx+4TRADE,trade+2Zopf,integers+3mho Zfr,zeetrf iiota+3Bsc" +
  "r,bernou,Bernoullis Cfr,Cayleys+2escr Escr,expectation Fscr,Fouriertrf+2Mscr,phmmat,Mellintrf oscr,order,orderof aleph,a" +
  "lefsym beth gimel daleth+13DD,CapitalDifferentialD dd,DifferentialD ee,ExponentialE,exponentiale ii,ImaginaryI+11frac13 " +
  "frac23 frac15 frac25 frac35 frac45 frac16 frac56 frac18 frac38 frac58 frac78+50larr,slarr,LeftArrow,leftarrow,ShortLeftA" +
  "rrow uarr,UpArrow,uparrow,ShortUpArrow rarr,srarr,RightArrow,rightarrow,ShortRightArrow darr,DownArrow,downarrow,ShortDo" +
  "wnArrow harr,LeftRightArrow,leftrightarrow varr,UpDownArrow,updownarrow nwarr,nwarrow,UpperLeftArrow nearr,nearrow,Upper" +
  "RightArrow searr,searrow,LowerRightArrow swarr,swarrow,LowerLeftArrow nlarr,nleftarrow nrarr,nrightarrow+2rarrw,rightsqu" +
  "igarrow Larr,twoheadleftarrow Uarr Rarr,twoheadrightarrow Darr larrtl,leftarrowtail rarrtl,rightarrowtail mapstoleft,Lef" +
  "tTeeArrow mapstoup,UpTeeArrow map,mapsto,RightTeeArrow mapstodown,DownTeeArrow+2larrhk,hookleftarrow rarrhk,hookrightarr" +
  "ow larrlp,looparrowleft rarrlp,looparrowright harrw,leftrightsquigarrow nharr,nleftrightarrow+2Lsh,lsh Rsh,rsh ldsh rdsh" +
  "+2crarr cularr,curvearrowleft curarr,curvearrowright+3olarr,circlearrowleft orarr,circlearrowright lharu,LeftVector,left" +
  "harpoonup lhard,DownLeftVector,leftharpoondown uharr,RightUpVector,upharpoonright uharl,LeftUpVector,upharpoonleft rharu" +
  ",RightVector,rightharpoonup rhard,DownRightVector,rightharpoondown dharr,RightDownVector,downharpoonright dharl,LeftDown" +
  "Vector,downharpoonleft rlarr,rightleftarrows,RightArrowLeftArrow udarr,UpArrowDownArrow lrarr,leftrightarrows,LeftArrowR" +
  "ightArrow llarr,leftleftarrows uuarr,upuparrows rrarr,rightrightarrows ddarr,downdownarrows lrhar,leftrightharpoons,Reve" +
  "rseEquilibrium rlhar,Equilibrium,rightleftharpoons nlArr,nLeftarrow nhArr,nLeftrightarrow nrArr,nRightarrow lArr,Leftarr" +
  "ow,DoubleLeftArrow uArr,Uparrow,DoubleUpArrow rArr,Implies,Rightarrow,DoubleRightArrow dArr,Downarrow,DoubleDownArrow if" +
  "f,hArr,Leftrightarrow,DoubleLeftRightArrow vArr,Updownarrow,DoubleUpDownArrow nwArr neArr seArr swArr lAarr,Lleftarrow r" +
  "Aarr,Rrightarrow+2zigrarr+7larrb,LeftArrowBar rarrb,RightArrowBar+16duarr,DownArrowUpArrow+8loarr roarr hoarr ForAll,for" +
  "all comp,complement part,PartialD exist,Exists nexist,nexists,NotExists empty,emptyv,emptyset,varnothing+2Del,nabla in,i" +
  "sin,isinv,Element notin,notinva,NotElement+2ni,niv,SuchThat,ReverseElement notni,notniva,NotReverseElement+3prod,Product" +
  " coprod,Coproduct Sum,sum minus mp,mnplus,MinusPlus plusdo,dotplus+2setmn,ssetmn,setminus,Backslash,smallsetminus lowast" +
  " compfn,SmallCircle+2Sqrt,radic+3prop,vprop,propto,varpropto,Proportional infin angrt ang,angle angmsd,measuredangle ang" +
  "sph mid,smid,shortmid,VerticalBar nmid,nsmid,nshortmid,NotVerticalBar par,spar,parallel,shortparallel,DoubleVerticalBar " +
  "npar,nspar,nparallel,nshortparallel,NotDoubleVerticalBar and,wedge or,vee cap cup int,Integral Int tint,iiint oint,conin" +
  "t,ContourIntegral Conint,DoubleContourIntegral Cconint cwint cwconint,ClockwiseContourIntegral awconint,CounterClockwise" +
  "ContourIntegral there4,Therefore,therefore becaus,Because,because ratio Colon,Proportion minusd,dotminus+2mDDot homtht s" +
  "im,Tilde,thksim,thicksim bsim,backsim ac,mstpos acd wr,wreath,VerticalTilde nsim,NotTilde esim,eqsim,EqualTilde sime,sim" +
  "eq,TildeEqual nsime,nsimeq,NotTildeEqual cong,TildeFullEqual simne ncong,NotTildeFullEqual ap,asymp,thkap,approx,TildeTi" +
  "lde,thickapprox nap,napprox,NotTildeTilde ape,approxeq apid bcong,backcong CupCap,asympeq bump,Bumpeq,HumpDownHump bumpe" +
  ",bumpeq,HumpEqual doteq,esdot,DotEqual eDot,doteqdot efDot,fallingdotseq erDot,risingdotseq Assign,colone,coloneq ecolon" +
  ",eqcolon ecir,eqcirc cire,circeq+2wedgeq veeeq+2trie,triangleq+3equest,questeq ne,NotEqual equiv,Congruent nequiv,NotCon" +
  "gruent+2le,leq ge,geq,GreaterEqual lE,leqq,LessFullEqual gE,geqq,GreaterFullEqual lnE,lneqq gnE,gneqq Lt,ll,NestedLessLe" +
  "ss Gt,gg,NestedGreaterGreater twixt,between NotCupCap nlt,nless,NotLess ngt,ngtr,NotGreater nle,nleq,NotLessEqual nge,ng" +
  "eq,NotGreaterEqual lsim,lesssim,LessTilde gsim,gtrsim,GreaterTilde nlsim,NotLessTilde ngsim,NotGreaterTilde lg,lessgtr,L" +
  "essGreater gl,gtrless,GreaterLess ntlg,NotLessGreater ntgl,NotGreaterLess pr,prec,Precedes sc,succ,Succeeds prcue,preccu" +
  "rlyeq,PrecedesSlantEqual sccue,succcurlyeq,SucceedsSlantEqual prsim,precsim,PrecedesTilde scsim,succsim,SucceedsTilde np" +
  "r,nprec,NotPrecedes nsc,nsucc,NotSucceeds sub,subset sup,supset,Superset nsub nsup sube,subseteq,SubsetEqual supe,supset" +
  "eq,SupersetEqual nsube,nsubseteq,NotSubsetEqual nsupe,nsupseteq,NotSupersetEqual subne,subsetneq supne,supsetneq+2cupdot" +
  " uplus,UnionPlus sqsub,sqsubset,SquareSubset sqsup,sqsupset,SquareSuperset sqsube,sqsubseteq,SquareSubsetEqual sqsupe,sq" +
  "supseteq,SquareSupersetEqual sqcap,SquareIntersection sqcup,SquareUnion oplus,CirclePlus ominus,CircleMinus otimes,Circl" +
  "eTimes osol odot,CircleDot ocir,circledcirc oast,circledast+2odash,circleddash plusb,boxplus minusb,boxminus timesb,boxt" +
  "imes sdotb,dotsquare vdash,RightTee dashv,LeftTee top,DownTee bot,perp,UpTee,bottom+2models vDash,DoubleRightTee Vdash V" +
  "vdash VDash nvdash nvDash nVdash nVDash prurel+2vltri,LeftTriangle,vartriangleleft vrtri,RightTriangle,vartriangleright " +
  "ltrie,trianglelefteq,LeftTriangleEqual rtrie,trianglerighteq,RightTriangleEqual origof imof mumap,multimap hercon intcal" +
  ",intercal veebar+2barvee angrtvb lrtri Wedge,xwedge,bigwedge Vee,xvee,bigvee xcap,bigcap,Intersection xcup,Union,bigcup " +
  "diam,Diamond,diamond sdot Star,sstarf divonx,divideontimes bowtie ltimes rtimes lthree,leftthreetimes rthree,rightthreet" +
  "imes bsime,backsimeq cuvee,curlyvee cuwed,curlywedge Sub,Subset Sup,Supset Cap Cup fork,pitchfork epar ltdot,lessdot gtd" +
  "ot,gtrdot Ll Gg,ggg leg,lesseqgtr,LessEqualGreater gel,gtreqless,GreaterEqualLess+3cuepr,curlyeqprec cuesc,curlyeqsucc n" +
  "prcue,NotPrecedesSlantEqual nsccue,NotSucceedsSlantEqual nsqsube,NotSquareSubsetEqual nsqsupe,NotSquareSupersetEqual+3ln" +
  "sim gnsim prnsim,precnsim scnsim,succnsim nltri,ntriangleleft,NotLeftTriangle nrtri,ntriangleright,NotRightTriangle nltr" +
  "ie,ntrianglelefteq,NotLeftTriangleEqual nrtrie,ntrianglerighteq,NotRightTriangleEqual vellip ctdot utdot dtdot disin isi" +
  "nsv isins isindot notinvc notinvb+2isinE nisd xnis nis notnivc notnivb+7barwed,barwedge Barwed,doublebarwedge+2lceil,Lef" +
  "tCeiling rceil,RightCeiling lfloor,LeftFloor rfloor,RightFloor drcrop dlcrop urcrop ulcrop bnot+2profline profsurf+2telr" +
  "ec target+6ulcorn,ulcorner urcorn,urcorner dlcorn,llcorner drcorn,lrcorner+3frown,sfrown smile,ssmile+10cylcty profalar+" +
  "8topbot+7ovbar+2solbar+61angzarr+52lmoust,lmoustache rmoust,rmoustache+3tbrk,OverBracket bbrk,UnderBracket bbrktbrk+38Ov" +
  "erParenthesis UnderParenthesis OverBrace UnderBrace+3trpezium+5elinters+60blank+165oS,circledS+56boxh,HorizontalLine+2bo" +
  "xv+10boxdr+4boxdl+4boxur+4boxul+4boxvr+8boxvl+8boxhd+8boxhu+8boxvh+20boxH boxV boxdR boxDr boxDR boxdL boxDl boxDL boxuR" +
  " boxUr boxUR boxuL boxUl boxUL boxvR boxVr boxVR boxvL boxVl boxVL boxHd boxhD boxHD boxHu boxhU boxHU boxvH boxVh boxVH" +
  "+20uhblk+4lhblk+4block+9blk14 blk12 blk34+14squ,Square,square+9squf,squarf,blacksquare,FilledVerySmallSquare EmptyVerySm" +
  "allSquare+2rect marker+3fltns+2xutri,bigtriangleup utrif,blacktriangle utri,triangle+3rtrif,blacktriangleright rtri,tria" +
  "ngleright+4xdtri,bigtriangledown dtrif,blacktriangledown dtri,triangledown+3ltrif,blacktriangleleft ltri,triangleleft+7l" +
  "oz,lozenge cir+33tridot+3xcirc,bigcirc+9ultri urtri lltri EmptySmallSquare FilledSmallSquare+9starf,bigstar star+8phone+" +
  "50female+2male+30spades,spadesuit+3clubs,clubsuit+2hearts,heartsuit diams,diamondsuit+4sung+3flat natur,natural sharp+16" +
  "4check,checkmark+4cross+9malt,maltese+22sext+34VerticalSeparator+26lbbrk rbbrk+85bsolhsub suphsol+29lobrk,LeftDoubleBrac" +
  "ket robrk,RightDoubleBracket lang,langle,LeftAngleBracket rang,rangle,RightAngleBracket Lang Rang loang roang+8xlarr,Lon" +
  "gLeftArrow,longleftarrow xrarr,LongRightArrow,longrightarrow xharr,LongLeftRightArrow,longleftrightarrow xlArr,Longlefta" +
  "rrow,DoubleLongLeftArrow xrArr,Longrightarrow,DoubleLongRightArrow xhArr,Longleftrightarrow,DoubleLongLeftRightArrow+2xm" +
  "ap,longmapsto+3dzigrarr+259nvlArr nvrArr nvHarr Map+7lbarr rbarr,bkarow lBarr rBarr,dbkarow RBarr,drbkarow DDotrahd UpAr" +
  "rowBar DownArrowBar+3Rarrtl+3latail ratail lAtail rAtail larrfs rarrfs larrbfs rarrbfs+3nwarhk nearhk searhk,hksearow sw" +
  "arhk,hkswarow nwnear toea,nesear tosa,seswar swnwar+9rarrc+2cudarrr ldca rdca cudarrl larrpl+3curarrm cularrp+8rarrpl+3h" +
  "arrcir Uarrocir lurdshar ldrushar+3LeftRightVector RightUpDownVector DownLeftRightVector LeftUpDownVector LeftVectorBar " +
  "RightVectorBar RightUpVectorBar RightDownVectorBar DownLeftVectorBar DownRightVectorBar LeftUpVectorBar LeftDownVectorBa" +
  "r LeftTeeVector RightTeeVector RightUpTeeVector RightDownTeeVector DownLeftTeeVector DownRightTeeVector LeftUpTeeVector " +
  "LeftDownTeeVector lHar uHar rHar dHar luruhar ldrdhar ruluhar rdldhar lharul llhard rharul lrhard udhar,UpEquilibrium du" +
  "har,ReverseUpEquilibrium RoundImplies erarr simrarr larrsim rarrsim rarrap ltlarr+2gtrarr subrarr+2suplarr lfisht rfisht" +
  " ufisht dfisht+6lopar ropar+5lbrke rbrke lbrkslu rbrksld lbrksld rbrkslu langd rangd lparlt rpargt gtlPar ltrPar+4vzigza" +
  "g+2vangrt angrtvbd+7ange range dwangle uwangle angmsdaa angmsdab angmsdac angmsdad angmsdae angmsdaf angmsdag angmsdah b" +
  "emptyv demptyv cemptyv raemptyv laemptyv ohbar omid opar+2operp+2olcross odsold+2olcir ofcir olt ogt cirscir cirE solb b" +
  "solb+4boxbox+4trisb rtriltri LeftTriangleBar RightTriangleBar+12iinfin infintie nvinfin+5eparsl smeparsl eqvparsl+6lozf," +
  "blacklozenge+9RuleDelayed+2dsol+10xodot,bigodot xoplus,bigoplus xotime,bigotimes+2xuplus,biguplus+2xsqcup,bigsqcup+6qint" +
  ",iiiint fpartint+3cirfnint awint rppolint scpolint npolint pointint quatint intlarhk+11pluscir plusacir simplus plusdu p" +
  "lussim plustwo+2mcomma minusdu+3loplus roplus Cross timesd timesbar+2smashp lotimes rotimes otimesas Otimes odiv triplus" +
  " triminus tritime iprod,intprod+3amalg capdot+2ncup ncap capand cupor cupcap capcup cupbrcap capbrcup cupcup capcap ccup" +
  "s ccaps+3ccupssm+3And Or andand oror orslope andslope+2andv orv andd ord+2wedbar+7sdote+4simdot+3congdot easter apacir a" +
  "pE eplus pluse Esim Colone Equal+2eDDot,ddotseq equivDD ltcir gtcir ltquest gtquest les,leqslant,LessSlantEqual ges,geqs" +
  "lant,GreaterSlantEqual lesdot gesdot lesdoto gesdoto lesdotor gesdotol lap,lessapprox gap,gtrapprox lne,lneq gne,gneq ln" +
  "ap,lnapprox gnap,gnapprox lEg,lesseqqgtr gEl,gtreqqless lsime gsime lsimg gsiml lgE glE lesges gesles els,eqslantless eg" +
  "s,eqslantgtr elsdot egsdot el eg+3siml simg simlE simgE LessLess GreaterGreater+2glj gla ltcc gtcc lescc gescc smt lat s" +
  "mte late bumpE pre,preceq,PrecedesEqual sce,succeq,SucceedsEqual+3prE scE prnE,precneqq scnE,succneqq prap,precapprox sc" +
  "ap,succapprox prnap,precnapprox scnap,succnapprox Pr Sc subdot supdot subplus supplus submult supmult subedot supedot su" +
  "bE,subseteqq supE,supseteqq subsim supsim+3subnE,subsetneqq supnE,supsetneqq+3csub csup csube csupe subsup supsub subsub" +
  " supsup suphsub supdsub forkv topfork mlcp+9Dashv,DoubleLeftTee+2Vdashl Barv vBar vBarv+2Vbar Not bNot rnmid cirmid midc" +
  "ir topcir nhpar parsim+10parsl+53251fflig filig fllig ffilig ffllig;338+8605nrarrw+101npart+64nesim,NotEqualTilde+9napid" +
  "+3nbump,NotHumpDownHump nbumpe,NotHumpEqual nedot+22nlE,nleqq ngE,ngeqq,NotGreaterFullEqual+3nLtv,NotLessLess nGtv,NotGr" +
  "eaterGreater+20NotSucceedsTilde+16NotSquareSubset NotSquareSuperset+72nLl nGg+28notindot+4notinE+1594nrarrc+156NotLeftTr" +
  "iangleBar NotRightTriangleBar+157ncongdot+3napE+13nles,nleqslant,NotLessSlantEqual nges,ngeqslant,NotGreaterSlantEqual+3" +
  "5NotNestedLessLess NotNestedGreaterGreater+13npre,npreceq,NotPrecedesEqual nsce,nsucceq,NotSucceedsEqual+21nsubE,nsubset" +
  "eqq nsupE,nsupseteqq;20d2+60nvlt+2nvgt+8674nang+28nvsim+17nvap+23nvle nvge+5nLt nGt+23vnsub,nsubset,NotSubset vnsup,nsup" +
  "set,NotSuperset+49nvltrie nvrtrie;200a+8287ThickSpace;333+8766acE;20e5+61bne+8740bnequiv+2204nparsl;fe00+8745caps cups+6" +
  "2lvnE,lvertneqq gvnE,gvertneqq+33vsubne,varsubsetneq vsupne,varsupsetneq+8sqcaps sqcups+70lesg gesl+2001smtes lates+30vs" +
  "ubnE,varsubsetneqq vsupnE,varsupsetneqq;6a+102fjlig;331+8765race"
