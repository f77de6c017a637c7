import type { ConsolePhrases } from "../../language.ts";
import { isolated } from "./isolated.ts";

/** The words of the frame around all pages, and of the pages before it. */
export const shell: ConsolePhrases["shell"] = {
  product: "المكافآت",
  skip: "الانتقال إلى المحتوى",
  menu: "القائمة",
  applications: "التطبيق",
  sandbox: "بيئة اختبار",
  sandboxHint: "هذه بيئة اختبار: لا أموال حقيقية هنا.",
  suspended: "موقوف",
  account: "حسابك",
  signOut: "تسجيل الخروج",
  signedInAs: (name) => `تم تسجيل الدخول باسم ${isolated(name)}`,
  language: "اللغة",
  sections: {
    overview: "نظرة عامة",
    receipts: "الإيصالات",
    review: "المراجعة",
    names: "أسماء غير معروفة",
    people: "المستخدمون",
    programme: "البرنامج",
    rewards: "المكافآت",
    developers: "المطوّرون",
    team: "الفريق",
    audit: "سجل التدقيق",
  },
  actions: {
    apply: "تطبيق",
    cancel: "إلغاء",
    save: "حفظ",
    search: "بحث",
    newer: "الأحدث",
    older: "الأقدم",
    next: "التالية",
    previous: "السابقة",
    back: "رجوع",
  },
  problems: {
    home: "إلى الصفحة الرئيسية",
    notFound: { title: "لا شيء هنا", text: "الصفحة غير موجودة، أو ليس لديك إذن بعرضها." },
    forbidden: { title: "ليس لديك إذن بذلك", text: "دورك لا يسمح بذلك. يرجى الرجوع إلى مشغّل الخدمة." },
    form: { title: "انتهت صلاحية النموذج", text: "لم يتغير شيء. يرجى فتح الصفحة من جديد وتكرار العملية." },
    busy: { title: "طلبات كثيرة في وقت واحد", text: "لم يتغير شيء. يرجى المحاولة بعد بضع ثوانٍ." },
    other: { title: "لم ينجح ذلك", text: "حدث خطأ من جانبنا. يرجى المحاولة مرة أخرى." },
  },
};
