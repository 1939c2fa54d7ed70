// Who may hold the keyspace for long.
namespace Garnet.Engine.Rules;

/// <summary>Clients that are blocked are not served meanwhile; the holder's thread serves them when it has ended.</summary>
internal interface IKeyspaceHolder
{
    /// <summary>Whether a command that may take long runs alone.</summary>
    bool IsRunning { get; }

    /// <summary>Whether that takes so long that others are let in.</summary>
    bool IsSlow { get; }

    /// <summary>The error for commands that are not allowed while it is slow.</summary>
    ReadOnlySpan<byte> BusyError { get; }
}
