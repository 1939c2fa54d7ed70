// Two ends of pipes. Immutable.
using System.IO.Pipelines;

namespace Garnet.Hosting.Http;

/// <summary>What is read from, and what is written to.</summary>
internal sealed record PipePair(PipeReader Input, PipeWriter Output) : IDuplexPipe;
