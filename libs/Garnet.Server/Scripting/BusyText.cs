// Errors of clients that are not served because a script runs. The texts are Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md), since
// clients match on them.
namespace Garnet.Server.Scripting;

/// <summary>The texts, without the leading '-' and the line end.</summary>
internal static class BusyText
{
    /// <summary>A script has been running for long.</summary>
    public static ReadOnlySpan<byte> BusyScript =>
        "BUSY Valkey is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."u8;

    /// <summary>As <see cref="BusyScript"/>, with extended-redis-compatibility.</summary>
    public static ReadOnlySpan<byte> BusyScriptAsRedis =>
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."u8;

    /// <summary>As <see cref="BusyFunction"/>, with extended-redis-compatibility.</summary>
    public static ReadOnlySpan<byte> BusyFunctionAsRedis =>
        "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE."u8;

    /// <summary>A function has been running for long.</summary>
    public static ReadOnlySpan<byte> BusyFunction =>
        "BUSY Valkey is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE."u8;
}
