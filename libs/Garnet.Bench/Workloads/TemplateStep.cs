// What rendering a template does next. Immutable.
namespace Garnet.Bench.Workloads;

/// <summary>
/// Either one piece to write, or a whole argument whose length is known only when its key or value has been chosen, so that its header is
/// written last.
/// </summary>
/// <param name="Piece">The piece, or null.</param>
/// <param name="Argument">The argument, or null.</param>
internal readonly record struct TemplateStep(TemplatePiece? Piece, TemplateArgument? Argument);
