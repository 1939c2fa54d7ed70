// What a key does. A plain value; no thread owns it.
namespace Garnet.Cli.Interactive;

/// <summary>The keys that the line editor knows.</summary>
internal enum EditKey
{
    /// <summary>No key: input that means nothing here.</summary>
    None,

    /// <summary>Text to insert.</summary>
    Text,

    /// <summary>Text that was pasted, of any number of lines.</summary>
    Paste,

    /// <summary>Accept the line.</summary>
    Enter,

    /// <summary>The next completion.</summary>
    Tab,

    /// <summary>The previous completion.</summary>
    BackTab,

    /// <summary>Delete to the left.</summary>
    Backspace,

    /// <summary>Delete to the right.</summary>
    Delete,

    /// <summary>One character to the left.</summary>
    Left,

    /// <summary>One character to the right.</summary>
    Right,

    /// <summary>One word to the left.</summary>
    WordLeft,

    /// <summary>One word to the right.</summary>
    WordRight,

    /// <summary>To the beginning.</summary>
    Home,

    /// <summary>To the end.</summary>
    End,

    /// <summary>The older line of the history.</summary>
    Up,

    /// <summary>The newer line of the history.</summary>
    Down,

    /// <summary>Delete the word to the left.</summary>
    DeleteWordLeft,

    /// <summary>Delete the word to the right.</summary>
    DeleteWordRight,

    /// <summary>Delete all to the left.</summary>
    DeleteToStart,

    /// <summary>Delete all to the right.</summary>
    DeleteToEnd,

    /// <summary>Insert what was deleted last.</summary>
    Yank,

    /// <summary>Exchange two characters.</summary>
    Transpose,

    /// <summary>Clear the screen.</summary>
    ClearScreen,

    /// <summary>Search the history.</summary>
    Search,

    /// <summary>Give up: Escape or Ctrl+G.</summary>
    Cancel,

    /// <summary>Ctrl+C.</summary>
    Interrupt,

    /// <summary>Ctrl+D: delete, or the end on an empty line.</summary>
    EndOrDelete,

    /// <summary>Ctrl+Z: stop the process.</summary>
    Suspend,

    /// <summary>The terminal is gone.</summary>
    EndOfInput,
}
