// A terminal. Implementations are for one thread.
namespace Garnet.Cli.Interactive;

/// <summary>Reads keys and shows text.</summary>
internal interface ITerminal
{
    /// <summary>The width of a line, at least 1.</summary>
    int Columns { get; }

    /// <summary>Whether colours are shown.</summary>
    bool HasColors { get; }

    /// <summary>From now on keys are read as they are pressed, without echo.</summary>
    void EnterRawMode();

    /// <summary>The terminal is as it was found, for the output of commands.</summary>
    void LeaveRawMode();

    /// <summary>Waits for a key, in raw mode.</summary>
    KeyPress ReadKey();

    /// <summary>Waits until a key can be read, in raw mode; false if the wait was ended.</summary>
    bool WaitForKey(CancellationToken cancellationToken);

    /// <summary>Shows a text, in which escape sequences are obeyed.</summary>
    void Write(string text);

    /// <summary>Stops the process as Ctrl+Z does, and returns when it goes on.</summary>
    void Suspend();
}
