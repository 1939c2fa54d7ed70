// What a run needs of Windows' console, for as long as it lasts. One thread.
namespace Garnet.Cli.Interactive;

/// <summary>
/// While it exists, bytes are read as UTF-8 and escape sequences are obeyed: in a session, and in the lines of progress and colours of all
/// modes. Both belong to the console, which the shell has, too, so it gets back what it had.
/// </summary>
internal sealed class WindowsScreen : IDisposable
{
    private const uint Utf8 = 65001;

    private readonly IWindowsConsole _console;
    private readonly uint? _mode;
    private readonly uint _page;

    /// <summary>Changes the console; nothing where output goes elsewhere.</summary>
    public WindowsScreen(IWindowsConsole console)
    {
        _console = console;
        _mode = console.OutputMode;
        if (_mode is not { } mode)
            return;
        _page = console.OutputPage;
        console.OutputPage = Utf8;
        console.SetOutputMode(mode | IWindowsConsole.ObeysSequences);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_mode is not { } mode)
            return;
        _console.SetOutputMode(mode);
        _console.OutputPage = _page;
    }
}
