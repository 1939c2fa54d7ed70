// Thrown while settings are gathered, before a server exists; a running server answers CONFIG SET with text instead.
namespace Garnet.Server.Configuration;

/// <summary>A setting is wrong. The message is one line for the person who wrote it: where, which option, what is allowed.</summary>
public sealed class OptionException(string message) : Exception(message);
