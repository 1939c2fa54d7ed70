// Ctrl+C in modes that have something to say at their end. Any thread.
using System.Runtime.InteropServices;

namespace Garnet.Cli;

/// <summary>While it exists, SIGINT and SIGTERM ask the mode to end; a second one ends the process as usual.</summary>
internal sealed class Interruption : IDisposable
{
    private readonly PosixSignalRegistration[] _registrations;
    private readonly ManualResetEventSlim _signal = new();
    private readonly Action? _onSignal;

    /// <summary>Begins to listen.</summary>
    /// <param name="onSignal">Called on another thread, for example to end a wait for a reply.</param>
    public Interruption(Action? onSignal = null)
    {
        _onSignal = onSignal;
        _registrations =
        [
            PosixSignalRegistration.Create(PosixSignal.SIGINT, Handle),
            PosixSignalRegistration.Create(PosixSignal.SIGTERM, Handle),
        ];
    }

    /// <summary>Whether the user has asked to end.</summary>
    public bool IsRequested => _signal.IsSet;

    /// <summary>Waits, or less if the user asks to end.</summary>
    /// <returns>Whether the user has asked to end.</returns>
    public bool Wait(TimeSpan time) => _signal.Wait(time);

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (PosixSignalRegistration registration in _registrations)
            registration.Dispose();
        _signal.Dispose();
    }

    private void Handle(PosixSignalContext context)
    {
        if (_signal.IsSet)
            return;
        context.Cancel = true;
        _signal.Set();
        _onSignal?.Invoke();
    }
}
