// A key that was pressed. A plain value; no thread owns it.
namespace Garnet.Cli.Interactive;

/// <summary>A key and its text.</summary>
/// <param name="Key">What it does.</param>
/// <param name="Text">The text of <see cref="EditKey.Text"/> and <see cref="EditKey.Paste"/>.</param>
internal readonly record struct KeyPress(EditKey Key, string Text = "");
