// The console of Windows, as far as it is needed. Implementations are for one thread.
namespace Garnet.Cli.Interactive;

/// <summary>The process's console, or one of a test, which needs no Windows.</summary>
internal interface IWindowsConsole
{
    /// <summary>ENABLE_VIRTUAL_TERMINAL_PROCESSING: escape sequences are obeyed.</summary>
    const uint ObeysSequences = 4;

    /// <summary>
    /// DISABLE_NEWLINE_AUTO_RETURN: a line feed stays in its column, and a line that is full wraps with the next character, as in other
    /// terminals; without it, at once.
    /// </summary>
    const uint WrapsLate = 8;

    /// <summary>The width of a line; 0 where the output goes elsewhere.</summary>
    int Columns { get; }

    /// <summary>Whether a key can be read at once.</summary>
    bool HasKey { get; }

    /// <summary>Waits for a key and does not show it.</summary>
    ConsoleKeyInfo ReadKey();

    /// <summary>Whether Ctrl+C is a key; otherwise it is a signal.</summary>
    bool TakesControlCAsKey { set; }

    /// <summary>How output is treated; null where both standard output and standard error go elsewhere.</summary>
    uint? OutputMode { get; }

    /// <summary>Changes how output is treated.</summary>
    void SetOutputMode(uint mode);

    /// <summary>The code page that written bytes are read in.</summary>
    uint OutputPage { get; set; }
}
