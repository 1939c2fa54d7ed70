// The contract of output formats. Implementations are stateless; one thread.
using Garnet.Client;

namespace Garnet.Cli.Output;

/// <summary>Writes replies as text.</summary>
internal interface IReplyFormat
{
    /// <summary>Adds a whole reply with its end.</summary>
    void Append(ByteText text, RespValue reply);
}
