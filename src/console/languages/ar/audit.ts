import type { ConsolePhrases } from "../../language.ts";

/** The words of the audit log. */
export const audit: ConsolePhrases["audit"] = {
  title: "سجل التدقيق",
  lead: "ما تغيّر في لوحة التحكم وفي سطر الأوامر وبالمفاتيح السرية، الأحدث أولًا. لا يمكن تغيير أي شيء هنا.",
  columns: { at: "الوقت", who: "من", application: "التطبيق", action: "الإجراء", subject: "بشأن", status: "النتيجة" },
  commandLine: "سطر الأوامر",
  removed: "تمت إزالته",
  noApplication: "لا يوجد",
  outcomes: { done: "تم", refused: "مرفوض", failed: "فشل", interrupted: "انقطع" },
  none: "لم يجرِ أي شيء بعد.",
  filter: { application: "التطبيق", any: "الكل" },
};
