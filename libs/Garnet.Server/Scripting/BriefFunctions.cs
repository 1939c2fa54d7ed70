// The functions that a script may call while it runs beside others. Immutable; any thread.
using System.Collections.Frozen;

namespace Garnet.Server.Scripting;

/// <summary>
/// Functions whose time and result are bounded by the size of their arguments. Missing are those that repeat (string.rep), search with
/// patterns, write out what tables contain (cjson.encode), call other functions (pcall, table.sort), change what others mean
/// (setmetatable), or may wait for a file (server.log).
/// </summary>
internal static class BriefFunctions
{
    /// <summary>The one whose result is as long as its arguments together.</summary>
    public const string Format = "string.format";

    private static readonly FrozenSet<string> Names = (
        "tonumber tostring type error assert select next rawget rawequal "
        + "server.acl_check_cmd server.setresp server.set_repl server.sha1hex server.error_reply server.status_reply "
        + "server.replicate_commands "
        + "string.sub string.len string.byte string.char string.lower string.upper string.format string.reverse "
        + "table.getn table.maxn "
        + "math.abs math.ceil math.floor math.max math.min math.mod math.fmod math.modf math.sqrt math.pow math.random math.exp math.log "
        + "math.log10 bit.tobit bit.tohex bit.bnot bit.band bit.bor bit.bxor bit.lshift bit.rshift bit.arshift bit.rol bit.ror bit.bswap "
        + "cjson.decode cmsgpack.unpack struct.unpack struct.size os.clock"
    )
        .Split(' ')
        .ToFrozenSet(StringComparer.Ordinal);

    private static readonly FrozenSet<string> Libraries = Names
        .Where(static name => name.Contains('.', StringComparison.Ordinal))
        .Select(static name => name[..name.IndexOf('.', StringComparison.Ordinal)])
        .Where(static name => name != "server")
        .ToFrozenSet(StringComparer.Ordinal);

    /// <summary>Whether a global variable is the table of a library.</summary>
    public static bool IsLibrary(string name) => Libraries.Contains(name);

    /// <summary>Whether a function is one of them; those of libraries with the name of the table before theirs.</summary>
    public static bool Contains(string name) => Names.Contains(name);
}
