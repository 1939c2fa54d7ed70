// The module's command that one thread runs. Written by that thread; read by the watchdog.
using System.Runtime.CompilerServices;
using Garnet.Server.CommandModel;

namespace Garnet.Server.Modules;

/// <summary>
/// Two stores for each call and no clock: the watchdog looks several times per second whether the call is still the same one.
/// </summary>
internal sealed class RunningModuleCommand
{
    private Command? _command;
    private long _call;
    private long _overrun = -1;

    /// <summary>The command; null when none runs.</summary>
    public Command? Command => Volatile.Read(ref _command);

    /// <summary>The number of the current or last call.</summary>
    public long Call => Volatile.Read(ref _call);

    /// <summary>Whether the current call has taken longer than busy-reply-threshold. The thread that runs it.</summary>
    public bool IsOverrun => Volatile.Read(ref _overrun) == _call;

    /// <summary>The call and the time at which the watchdog saw it first.</summary>
    public (long Call, long SinceMs) Seen { get; set; } = (-1, 0);

    /// <summary>Begins a call; a call within another one belongs to it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Command? Begin(Command command)
    {
        Command? outer = _command;
        if (outer is null)
        {
            Volatile.Write(ref _call, _call + 1);
            Volatile.Write(ref _command, command);
        }

        return outer;
    }

    /// <summary>Ends it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void End(Command? outer) => Volatile.Write(ref _command, outer);

    /// <summary>Notes that a call takes too long. The watchdog.</summary>
    public void NoteOverrun(long call) => Volatile.Write(ref _overrun, call);
}
