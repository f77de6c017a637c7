import type { ConsolePhrases } from "../../language.ts";
import { isolated } from "./isolated.ts";

/** The words of the page about the people of the console. */
export const team: ConsolePhrases["team"] = {
  title: "الفريق",
  lead: "من يمكنه استخدام لوحة التحكم هذه، ولأي غرض.",
  columns: { person: "الشخص", roles: "الأدوار", actions: "الإجراءات" },
  noRole: "بلا دور",
  ofAll: (role) => `${role} لجميع التطبيقات`,
  ofOne: (role, application) => `${role} في ${isolated(application)}`,
  you: "أنت",
  roles: {
    viewer: "مُشاهد",
    reviewer: "مراجع",
    manager: "مدير",
    developer: "مطوّر",
    operator: "مشغّل",
  },
  about: {
    viewer: "يرى كل شيء",
    reviewer: "يقرر أيضًا بشأن الإيصالات والأسماء",
    manager: "يغيّر أيضًا النقاط والمكافآت والبرنامج",
    developer: "يرى كل شيء ويغيّر المفاتيح وWebhook",
    operator: "له كل الصلاحيات",
  },
  add: {
    title: "إضافة شخص",
    email: "البريد الإلكتروني",
    name: "الاسم",
    role: "الدور",
    application: "التطبيق",
    submit: "إضافة",
  },
  all: "جميع التطبيقات",
  grant: { title: (name) => `تغيير ${isolated(name)}`, submit: "منح هذا الدور" },
  revoke: "سحب جميع الأدوار",
  revokeOf: (name) => `سحب جميع الأدوار من ${isolated(name)}`,
  link: "رابط جديد",
  linkOf: (name) => `إنشاء رابط جديد لـ ${isolated(name)}`,
  remove: "إزالة",
  removeOf: (name) => `إزالة ${isolated(name)}`,
  newLink: {
    title: (name) => `رابط لـ ${isolated(name)}`,
    text: "يرجى عدم إعطائه لأي شخص آخر. يعمل مرة واحدة حتى الغد، ولن يُعرض مرة أخرى.",
  },
  done: {
    granted: "تم منح الدور.",
    revoked: "تم سحب جميع الأدوار وتسجيل خروج الشخص.",
    removed: "تمت إزالة الشخص.",
  },
  errors: {
    email: "هذا ليس بريدًا إلكترونيًا صحيحًا.",
    taken: "سبقت إضافة شخص بهذا البريد الإلكتروني.",
    name: "يرجى إدخال اسم لا يتجاوز 100 حرف.",
    role: "يرجى اختيار دور.",
    self: "لا يمكنك سحب صلاحياتك بنفسك: يرجى طلب ذلك من مشغّل آخر.",
  },
};
