import type { ConsolePhrases } from "../../language.ts";
import { isolated } from "./isolated.ts";

/** The words of the first page after signing in. */
export const home: ConsolePhrases["home"] = {
  welcome: (name) => `مرحبًا ${isolated(name)}`,
  about:
    "تقرأ الخدمة الإيصالات والوجبات والأغذية، وتقيّم كل صنف من حيث الصحة والمناخ، وتقيّد له نقاطًا. " +
    "هنا يظهر ما قيّدته، وهنا يُتخذ القرار فيما تركته للناس.",
  title: "تطبيقاتك",
  none: "ليس لديك إذن بعرض أي تطبيق بعد. يرجى طلب دور من مشغّل الخدمة.",
  noneAtAll: "لا يوجد أي تطبيق بعد. يمكن إنشاء تطبيق على خادم الخدمة:",
  figures: {
    held: "بانتظار المراجعة",
    disputed: "عليها بلاغات",
    receipts: "الإيصالات منذ أمس",
    failed: "الفاشلة منذ أمس",
    endpoints: "نقاط نهاية متعطلة",
    unknown: "أرقامه غير متاحة في الوقت الحالي.",
    many: "تظهر الأرقام للتطبيقات الأولى فقط، وأرقام البقية في صفحة نظرتها العامة.",
  },
  state: {
    title: "الخدمة",
    ready: { label: "قاعدة البيانات والمعالجة", yes: "جاهزة", no: "غير جاهزة" },
    receipts: "إيصالات في الانتظار",
    intakes: "وجبات وأغذية في الانتظار",
    pending: "رسائل Webhook في الانتظار",
    failed: "رسائل Webhook فاشلة",
    endpoints: "نقاط نهاية متعطلة",
    ledger: "دفتر النقاط",
    oldest: (minutes) => `الأقدم منذ ${minutes} دقيقة`,
    late: (minutes) => `متأخرة ${minutes} دقيقة`,
    verified: (at) => `مطابق لقيوده، ${at}`,
    differences: (count, at) => `فروق: ${count}، ${at}`,
    never: "لم يُتحقق منه بعد، ويتم ذلك يوميًا",
  },
  next: {
    title: "إلى أين بعد ذلك",
    review: (application) => `مراجعة إيصالات ${isolated(application)}`,
    team: "من يمكنه استخدام لوحة التحكم",
    audit: "ما جرى فيها",
    reference: "كيفية استدعاء API",
    problems: "معنى أخطاء API",
  },
};
