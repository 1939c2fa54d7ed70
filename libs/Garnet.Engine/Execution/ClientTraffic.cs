// What a client has sent and received. Part of a ClientSession: written by its thread, read by others for CLIENT LIST.

namespace Garnet.Engine.Execution;

/// <summary>Counters and times of one connection.</summary>
internal struct ClientTraffic(long nowMs)
{
    private const long MsPerSecond = 1000;

    /// <summary>Commands executed.</summary>
    public long Commands;

    /// <summary>Request bytes read.</summary>
    public long InputBytes;

    /// <summary>Reply bytes written.</summary>
    public long OutputBytes;

    /// <summary>Unix milliseconds of the last request.</summary>
    public long LastInteractionMs = nowMs;

    /// <summary>The last request's command, executed, queued or rejected; null when it does not exist.</summary>
    public Command? LastCommand;

    /// <summary>Unix milliseconds of the connection's start.</summary>
    public readonly long CreatedMs = nowMs;

    /// <summary>Seconds since the client connected, computed from whole seconds as in Valkey.</summary>
    public readonly long AgeSeconds(TimeProvider time) => time.GetUtcNow().ToUnixTimeSeconds() - (CreatedMs / MsPerSecond);

    /// <summary>Seconds since the last request, computed in the same way.</summary>
    public readonly long IdleSeconds(TimeProvider time) => time.GetUtcNow().ToUnixTimeSeconds() - (LastInteractionMs / MsPerSecond);
}
