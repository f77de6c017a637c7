import type { ConsolePhrases } from "../../language.ts";

/** The words of a person's own account. */
export const account: ConsolePhrases["account"] = {
  title: "حسابك",
  passkeys: {
    title: "مفاتيح المرور",
    hint: "تسجيل الدخول بالهاتف أو الحاسوب أو مفتاح أمان، دون كلمة مرور.",
    none: "ليس لديك مفتاح مرور بعد.",
    added: (at) => `أُضيف في ${at}`,
    used: (at) => `آخر استخدام في ${at}`,
    neverUsed: "لم يُستخدم بعد",
    add: "إضافة مفتاح مرور",
    remove: "إزالة",
    removeOf: (at) => `إزالة مفتاح المرور المضاف في ${at}`,
    unavailable: "هذا المتصفح أو عنوان لوحة التحكم لا يدعم مفاتيح المرور: يلزم اسم مضيف واتصال https.",
    failed: "لم تتم إضافة مفتاح المرور. يرجى المحاولة مرة أخرى.",
  },
  password: {
    title: "كلمة المرور",
    current: "كلمة المرور الحالية",
    newPassword: "كلمة المرور الجديدة",
    repeat: "تأكيد كلمة المرور الجديدة",
    submit: "تغيير كلمة المرور",
    wrong: "كلمة المرور الحالية غير صحيحة أو مقفلة مؤقتًا.",
    noneYet: "ليس لديك كلمة مرور. يرجى طلب رابط من المشغّل لتعيينها.",
  },
  sessions: {
    title: "الجلسات",
    hint: "يسجّل خروجك من جميع الأجهزة، ومنها هذا الجهاز.",
    submit: "تسجيل الخروج من كل مكان",
  },
  done: {
    passkeyAdded: "تمت إضافة مفتاح المرور.",
    passkeyRemoved: "تمت إزالة مفتاح المرور.",
    passwordChanged: "تم تغيير كلمة المرور، وتم تسجيل الخروج من الأجهزة الأخرى.",
  },
};
