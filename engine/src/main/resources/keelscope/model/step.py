# The step program: the model of the specification, one training step and its measures, as TorchScript text. StepProgram
# fills in the $PLACEHOLDERS (sizes, and the residual rules of the scheme), packs the text into a module and calls it. The
# parameters live in the module, so that a step is one call into native code, whatever the depth.
#
# Shapes: B sequences, T tokens each, D = d_model, H heads of size D / H, F = ff_hidden, V vocabulary, L sub-layers.
class Program(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  params : List[Tensor]       # embedding, those of every sub-layer from the input on, final norm, output
  weights : List[Tensor]      # the same storage without gradients: what the optimiser writes, and what plain forwards read
  exp_avg : List[Tensor]      # AdamW's first moment, one per parameter
  exp_avg_sq : List[Tensor]   # AdamW's second moment
  matrices : List[Tensor]     # while AdamW runs: what it works on, of two dimensions (which decay)
  matrix_grads : List[Tensor]
  matrices_m : List[Tensor]
  matrices_v : List[Tensor]
  matrix_time : List[Tensor]
  vectors : List[Tensor]      # and of fewer (which do not)
  vector_grads : List[Tensor]
  vectors_m : List[Tensor]
  vectors_v : List[Tensor]
  vector_time : List[Tensor]
  first : List[int]           # first[l]: index in params of sub-layer l's first parameter; first[L]: the final norm
  parts : List[int]           # how many named parameters of equal height each tensor of params holds, stacked
  rope : List[Tensor]         # cos, sin, and sin with its first half negated, (T, D / H)
  constants : List[Tensor]    # ε as (1, 1), 0 as (1), 1 as (1, 1) and (D) that are not numbers, in the parameters' type
  shape : List[int]           # by hand: B and T of the sequences at hand, and B · T · D²
  saved : List[Tensor]        # by hand: what the forward pass leaves for the backward pass, a stack
  bounds : List[Tensor]       # by hand, recomputing: x at the lower bound of each segment
  grads : List[Tensor]        # the gradients of a micro-batch, in the order of params
  sums : List[Tensor]         # their sums over micro-batches
  seen : List[Tensor]         # while watching: x_l of every sub-layer; once there are gradients, the norms of those, from x_L down
  tokens : List[Tensor]       # while watching: per sub-layer the sums over channels that the measures are made of
  scales : List[float]        # while watching by hand, where tokens are of x and not of the carry: α per sub-layer
  passed : List[float]        # and k
  gains : List[Tensor]        # while watching: gain of the norm on the residual path, not a number where there is none
  gates : List[Tensor]        # while watching a scheme with trained gates: their values, (B · T, D) per sub-layer

  # --- building blocks -------------------------------------------------------------------------------------------------

  def rms_norm(self, gain: Tensor, x: Tensor) -> Tensor:
    return torch.rms_norm(x, [x.size(-1)], gain, $EPS)

  # To the precision asked for of products and attention, and back.
  def narrowed(self, x: Tensor) -> Tensor:
    return $NARROWED

  def widened(self, x: Tensor) -> Tensor:
    return $WIDENED

  def linear(self, x: Tensor, w: Tensor) -> Tensor:
    return self.widened(torch.linear(self.narrowed(x), self.narrowed(w)))

  # q · cos + rotate_half(q) · sin on the last dimension; x is (B, T, heads, D / H).
  def rotate(self, x: Tensor) -> Tensor:
    cos = torch.unsqueeze(torch.slice(self.rope[0], 0, 0, x.size(1), 1), 1)
    sin = torch.unsqueeze(torch.slice(self.rope[1], 0, 0, x.size(1), 1), 1)
    a, b = torch.chunk(x, 2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin

  def attend(self, q: Tensor, k: Tensor, v: Tensor, wo: Tensor) -> Tensor:
    q = self.narrowed(q.transpose(1, 2))
    k = self.narrowed(k.transpose(1, 2))
    v = self.narrowed(v.transpose(1, 2))
    y = self.widened(torch.scaled_dot_product_attention(q, k, v, None, 0., True))
    return self.linear(torch.flatten(y.transpose(1, 2), 2, 3), wo)

  def attention(self, wqkv: Tensor, wo: Tensor, h: Tensor) -> Tensor:
    heads = self.linear(h, wqkv).view([h.size(0), h.size(1), 3 * $HEADS, $HEAD_DIM])
    qk = self.rotate(torch.slice(heads, 2, 0, 2 * $HEADS, 1))
    q, k = torch.chunk(qk, 2, 2)
    v = torch.slice(heads, 2, 2 * $HEADS, 3 * $HEADS, 1)
    return self.attend(q, k, v, wo)

  # The same with a norm on each of q, k and v (per head, before the rotation).
  def attention_normed(self, wqkv: Tensor, wo: Tensor, q_norm: Tensor, k_norm: Tensor, v_norm: Tensor, h: Tensor) -> Tensor:
    heads = self.linear(h, wqkv).view([h.size(0), h.size(1), 3 * $HEADS, $HEAD_DIM])
    q, k, v = torch.chunk(heads, 3, 2)
    q = self.rotate(self.rms_norm(q_norm, q))
    k = self.rotate(self.rms_norm(k_norm, k))
    return self.attend(q, k, self.rms_norm(v_norm, v), wo)

  def feed_forward(self, w13: Tensor, w2: Tensor, h: Tensor) -> Tensor:
    a, b = torch.chunk(self.linear(h, w13), 2, -1)
    return self.linear(torch.silu(a) * b, w2)

  # --- residual rules of the scheme: each adds one sub-layer to the residual stream ----------------------------------------

$RULES
$BY_HAND
  # --- gradients by hand -------------------------------------------------------------------------------------------------------
  # The same mathematics without autograd, for the processor: fewer passes over memory, fewer calls, and each saved tensor freed
  # as soon as the backward pass has used it. Here x is (N, D), N = B · T. ProgramText writes a forward and a backward for each
  # residual rule of a form it knows, from the blocks below; a scheme of another form is trained by autograd.

  # x · wᵀ, g · w and gᵀ · x.
  def up(self, x: Tensor, w: Tensor) -> Tensor:
$UP
  def down(self, g: Tensor, w: Tensor) -> Tensor:
$DOWN
  def outer(self, g: Tensor, x: Tensor) -> Tensor:
$OUTER
  # x · r · gain with r = 1 / rms(x), (N, 1); returns the result, r and ‖x‖, (N, 1).
  def norm_forward(self, gain: Tensor, x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    n = torch.linalg_vector_norm(x, 2, [1], True)
    r = torch.rsqrt_(torch.addcmul(self.constants[0], n, n, value=$ONE_OVER_D))
    return (torch.mul_(x * r, gain), r, n)

  # With s = sum over channels of g · gain · x: the gradient of x is r · (g · gain − x · r² · s / D), that of gain the sum over
  # rows of g · x · r.
  def norm_backward(self, g: Tensor, x: Tensor, r: Tensor, gain: Tensor) -> Tuple[Tensor, Tensor]:
    p = g * x
    row = r.view([-1])
    gain_grad = torch.mv(p.t(), row)
    pull = torch.addmv(self.constants[1], p, gain, beta=0., alpha=-$ONE_OVER_D)
    pull = torch.mul_(torch.mul_(pull, row), row)
    t = torch.addcmul_(g * gain, x, pull.view([-1, 1]))
    return (torch.mul_(t, r), gain_grad)

  # Rotates the q and k parts of (N, 3 D) in place; direction −1 rotates back.
  def turn(self, qkv: Tensor, direction: float) -> Tensor:
    t = self.shape[1]
    cos = torch.unsqueeze(torch.slice(self.rope[0], 0, 0, t, 1), 1)
    sin = torch.unsqueeze(torch.slice(self.rope[2], 0, 0, t, 1), 1)
    qk = torch.slice(qkv.view([self.shape[0], t, 3 * $HEADS, $HEAD_DIM]), 2, 0, 2 * $HEADS, 1)
    swapped = torch.roll(qk, [$HALF_HEAD_DIM], [3])
    torch.addcmul_(torch.mul_(qk, cos), swapped, sin, value=direction)
    return qkv

  def heads_of(self, qkv: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    q, k, v = torch.chunk(qkv.view([self.shape[0], self.shape[1], 3 * $HEADS, $HEAD_DIM]).transpose(1, 2), 3, 1)
    return (q, k, v)

  def attention_forward(self, wqkv: Tensor, wo: Tensor, h: Tensor) -> Tensor:
    qkv = self.turn(self.up(h, wqkv), 1.)
    q, k, v = self.heads_of(qkv)
    y, lse = torch._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0., True)
    self.saved.append(h)
    self.saved.append(qkv)
    self.saved.append(y)
    self.saved.append(lse)
    return self.up(y.transpose(1, 2).reshape([-1, $D]), wo)

  # g is the gradient of the branch; i the index of wqkv's gradient.
  def attention_backward(self, i: int, wqkv: Tensor, wo: Tensor, g: Tensor) -> Tensor:
    lse = self.saved.pop()
    y = self.saved.pop()
    qkv = self.saved.pop()
    h = self.saved.pop()
    self.grads[i + 1] = self.outer(g, y.transpose(1, 2).reshape([-1, $D]))
    gy = self.down(g, wo).view([self.shape[0], self.shape[1], $HEADS, $HEAD_DIM]).transpose(1, 2)
    q, k, v = self.heads_of(qkv)
    gq, gk, gv = torch._scaled_dot_product_flash_attention_for_cpu_backward(gy, q, k, v, y, lse, 0., True)
    gqkv = torch.cat([gq.transpose(1, 2), gk.transpose(1, 2), gv.transpose(1, 2)], 2).view([-1, 3 * $D])
    gqkv = self.turn(gqkv, -1.)
    self.grads[i] = self.outer(gqkv, h)
    return self.down(gqkv, wqkv)

  def feed_forward_forward(self, w13: Tensor, w2: Tensor, h: Tensor) -> Tensor:
    ab = self.up(h, w13)
    a, b = torch.chunk(ab, 2, 1)
    s = torch.silu(a)
    self.saved.append(h)
    self.saved.append(ab)
    self.saved.append(s)
    return self.up(s * b, w2)

  def feed_forward_backward(self, i: int, w13: Tensor, w2: Tensor, g: Tensor) -> Tensor:
    s = self.saved.pop()
    ab = self.saved.pop()
    h = self.saved.pop()
    a, b = torch.chunk(ab, 2, 1)
    self.grads[i + 1] = self.outer(g, s * b)
    gu = self.down(g, w2)
    gab = torch.empty_like(ab)
    ga, gb = torch.chunk(gab, 2, 1)
    torch.mul(gu, s, out=gb)
    torch.mul(gu, b, out=ga)
    torch.silu_backward(ga, a, grad_input=ga)
    self.grads[i] = self.outer(gab, h)
    return self.down(gab, w13)

  # ids and labels (B, T). The loss is the sum over the targets that count, over their number in the whole batch. Leaves the
  # gradients in grads and, watching, the norms of ∂loss/∂x_l in seen, from x_L down.
  def by_hand(self, ids: Tensor, labels: Tensor, number: float, watch: bool, segment: int) -> Tensor:
    self.shape = annotate(List[int], [ids.size(0), ids.size(1), ids.numel() * $D * $D])
    self.grads = self.weights + annotate(List[Tensor], [])
    self.saved = annotate(List[Tensor], [])
    self.bounds = annotate(List[Tensor], [])
    x = torch.flatten(torch.embedding(self.weights[0], ids), 0, 1)
    size = $BLOCK_COUNT
    if segment > 0:
      size = segment
    segments = ($BLOCK_COUNT + size - 1) // size
    for s in range(segments):
      if segment > 0:
        self.bounds.append(x)
      x = self.blocks_forward(x, s * size, s * size + size, watch)
      if segment > 0 and s < segments - 1:
        self.saved = annotate(List[Tensor], [])
    top = x.detach().requires_grad_(True)
    loss = self.loss_of(self.linear(self.rms_norm(self.params[-2], top), self.params[-1]), labels, 2) / number
    got = annotate(List[Tensor], [])
    for g in torch.autograd.grad([loss], [top, self.params[-2], self.params[-1]]):
      got.append(unchecked_cast(Tensor, g))
    self.seen = annotate(List[Tensor], [])
    self.grads[-2] = got[1]
    self.grads[-1] = got[2]
    gx = got[0]
    if watch:
      self.seen.append(torch.linalg_vector_norm(gx))
    for k in range(segments):
      s = segments - 1 - k
      if segment > 0:
        low = self.bounds.pop()
        if k > 0:
          self.blocks_forward(low, s * size, s * size + size, False)
      gx = self.blocks_backward(gx, s * size, s * size + size, watch)
    self.grads[0] = torch.embedding_dense_backward(gx.view([ids.size(0), ids.size(1), $D]), ids, $VOCABULARY, -1, False)
    return loss.detach()

  # Blocks b0 to b1 − 1, upwards; what the backward pass needs is pushed on saved.
  def blocks_forward(self, x: Tensor, b0: int, b1: int, watch: bool) -> Tensor:
$FORWARD_BLOCKS
    return x

  # The same blocks downwards: the gradient of what leaves them to that of what enters.
  def blocks_backward(self, g: Tensor, b0: int, b1: int, watch: bool) -> Tensor:
$BACKWARD_BLOCKS
    return g

  # --- watching --------------------------------------------------------------------------------------------------------------

  # Keeps what the measures of one sub-layer are made of: x (entering), the two addends, k (how much of a gradient the carry
  # passes on, per token or for all) and the gain of the norm that follows.
  def watch(self, x: Tensor, carry: Tensor, transform: Tensor, k: Tensor, gain: Tensor) -> NoneType:
    self.seen.append(x)
    c = carry.detach()
    t = transform.detach()
    lengths = torch.linalg_vector_norm(torch.stack([x.detach(), c, t]), 2, [-1]).view([3, -1])
    inner = torch.mul(c, t).sum(-1).view([1, -1])
    self.tokens.append(torch.cat([lengths, inner, k.to(x.dtype).view([1, -1]).expand_as(inner)]))
    self.gains.append(gain)
    return None

  # The same by hand where alpha · x is carried, from fewer operations: length is ‖x‖ of every token, (B · T, 1).
  def watch_scaled(self, x: Tensor, length: Tensor, transform: Tensor, alpha: float, k: float, gain: Tensor) -> NoneType:
    inner = torch.mul(x, transform).sum([1])
    self.tokens.append(torch.stack([length.view([-1]), torch.linalg_vector_norm(transform, 2, [1]), inner]))
    self.scales.append(alpha)
    self.passed.append(k)
    self.gains.append(gain)
    return None

  # What watch keeps of every sub-layer, (5, L, B · T): ‖x‖, ‖carry‖, ‖transform‖, carry · transform, and k.
  def watched(self) -> Tensor:
    rows = torch.stack(self.tokens, 1)
    if len(self.scales) > 0:
      x, t, inner = torch.unbind(rows)
      alpha = torch.tensor(self.scales, dtype=x.dtype).view([-1, 1])
      k = torch.tensor(self.passed, dtype=x.dtype).view([-1, 1])
      rows = torch.stack([x, torch.abs(alpha) * x, t, alpha * inner, k.expand_as(x)])
    return rows

  # The values of a trained gate.
  def watch_gate(self, gate: Tensor) -> NoneType:
    self.gates.append(torch.flatten(gate.detach(), 0, -2))
    return None

  def forget(self) -> NoneType:
    self.scales = annotate(List[float], [])
    self.passed = annotate(List[float], [])
    self.seen = annotate(List[Tensor], [])
    self.tokens = annotate(List[Tensor], [])
    self.gains = annotate(List[Tensor], [])
    self.gates = annotate(List[Tensor], [])
    return None

  # The measures of all watched sub-layers, (14, L), in the order of StepProgram.MEASURES. tokens: of them all, (5, L, B · T).
  def measures(self, tokens: Tensor) -> Tensor:
    parts = annotate(List[Tensor], [])
    depth = tokens.size(1)
    chunk = 256
    for part in range((depth + chunk - 1) // chunk):
      low = part * chunk
      high = min(depth, low + chunk)
      x, c, t, ct, k = torch.unbind(torch.slice(tokens, 1, low, high, 1).double())
      c2 = c * c
      t2 = t * t
      sum2 = c2 + t2
      d = float($D)
      gate = torch.sqrt(c2 / sum2)
      normed = torch.abs(torch.stack(torch.slice(self.gains, low, high, 1)).double()).mean(1)
      z2 = torch.clamp(sum2 + 2. * ct, 0.) / d
      factor = torch.where(normed >= 0., (k / torch.sqrt(z2 + $EPS)).mean(1) * normed, k.mean(1))
      quantiles = torch.quantile(gate, torch.tensor([0., 0.05, 0.5, 0.95, 1.], dtype=7, device=gate.device), 1)
      rows = [torch.sqrt((x * x).mean(1) / d), torch.sqrt(c2.mean(1) / d), torch.sqrt(t2.mean(1) / d), gate.mean(1), torch.std(gate, [1], False)]
      rows = rows + torch.unbind(quantiles)
      rows = rows + [torch.sqrt(t2 / sum2).mean(1), (ct / (c * t)).mean(1), factor, k.mean(1)]
      parts.append(torch.stack(rows))
    return torch.cat(parts, 1)

  # Of each trained gate: mean, standard deviation, minimum, maximum, share below 0.05 and above 0.95, and a 32-bin histogram on
  # [0, 1], (L, 38). others: the gates of other shares of the batch, (L, B · T, D) each.
  def gate_statistics(self, others: List[Tensor]) -> Tensor:
    rows = annotate(List[Tensor], [])
    for l in range(len(self.gates)):
      shares = [self.gates[l]]
      for gates in others:
        shares.append(gates[l])
      t = torch.cat(shares).float()
      low = (t < 0.05).float().mean()
      high = (t > 0.95).float().mean()
      s = torch.stack([t.mean(), torch.std(t, False), t.min(), t.max(), low, high])
      rows.append(torch.cat([s, torch.histc(t, 32, 0., 1.) / t.numel()]))
    return torch.stack(rows)

  # --- the model -------------------------------------------------------------------------------------------------------------

  # ids (B, T) to logits (B, T, V); p is params (with gradients) or weights (without).
  def logits(self, p: List[Tensor], ids: Tensor, watch: bool, skip: int) -> Tensor:
    x = torch.embedding(p[0], ids)
$BLOCKS
    if watch:
      self.seen.append(x)
    return self.linear(self.rms_norm(p[-2], x), p[-1])

  # The mean over the targets that count (reduction 1) or their sum (2).
  def loss_of(self, logits: Tensor, targets: Tensor, reduction: int) -> Tensor:
    return torch.cross_entropy_loss(torch.flatten(logits, 0, -2), torch.flatten(targets), None, reduction, -100, 0.)

  # --- what StepProgram calls ------------------------------------------------------------------------------------------------

  def init(self, params: List[Tensor], first: Tensor, parts: Tensor, rope_length: Tensor) -> Tensor:
    for p in params:
      self.exp_avg.append(torch.zeros_like(p))
      self.exp_avg_sq.append(torch.zeros_like(p))
    return self.adopt(params, first, parts, rope_length)

  # As init, for a program that computes gradients only, on parameters that another one lends.
  def adopt(self, params: List[Tensor], first: Tensor, parts: Tensor, rope_length: Tensor) -> Tensor:
    # The tensors given must own their memory: one that stands on a Java buffer is gone once Java collects that.
    for p in params:
      w = p.detach()
      self.weights.append(w)
      self.params.append(w.detach().requires_grad_(True))
    self.first = annotate(List[int], first.tolist())
    self.parts = annotate(List[int], parts.tolist())
    n = int(rope_length.item())
    device = params[0].device
    inverse = torch.pow(torch.tensor($ROPE_BASE, dtype=7), torch.arange(0, $HEAD_DIM, 2, dtype=7) * (-1. / $HEAD_DIM))
    angles = torch.outer(torch.arange(n, dtype=7), inverse)
    angles = torch.cat([angles, angles], -1)
    dtype = params[0].dtype
    sin = torch.sin(angles)
    self.constants = [torch.full([1, 1], $EPS, dtype=dtype, device=device), torch.zeros([1], dtype=dtype, device=device), torch.ones([1, 1], dtype=dtype, device=device), torch.zeros([$D], dtype=dtype, device=device) / 0.]
    low, high = torch.chunk(sin, 2, -1)
    self.rope = [torch.cos(angles).to(dtype).to(device), sin.to(dtype).to(device), torch.cat([-low, high], -1).to(dtype).to(device)]
    return torch.tensor(len(self.params))

  # The tensors of weights, for a program that shares them.
  def lend(self) -> List[Tensor]:
    return self.weights

  # The norm of every named parameter's part of tensors that stand for params.
  def part_norms(self, tensors: List[Tensor]) -> Tensor:
    pieces = annotate(List[Tensor], [])
    for i in range(len(tensors)):
      n = self.parts[i]
      if n == 1:
        pieces.append(tensors[i])
      else:
        for piece in torch.chunk(tensors[i], n, 0):
          pieces.append(piece)
    return torch.stack(torch._foreach_norm(pieces, 2))

  # One step of the recipe. ids and targets: (A, B, T), A micro-batches whose gradients are averaged. hyper (float64, on the
  # CPU): lr, beta1, beta2, eps, weight decay, clip norm, step number from 1, update (0: measure only), watch, by hand (0:
  # autograd), blocks per segment when recomputing (0: keep everything), and by hand the number of targets that count in every
  # micro-batch.
  # Returns [loss, total gradient norm], the gradient norm of every named parameter, and when watching: the measures (14, L),
  # activation gradient norms (L + 1), norms of every tensor of params and of its update (see adamw), and the gates' statistics (L, 38).
  def step(self, ids: Tensor, targets: Tensor, hyper: Tensor) -> List[Tensor]:
    loss = self.share(ids, targets, hyper)
    return self.finish(loss, hyper, annotate(List[Tensor], []))

  # The loss of the sequences given, and in sums its gradients: those of a whole batch, or of a share of one by hand.
  def share(self, ids: Tensor, targets: Tensor, hyper: Tensor) -> Tensor:
    h = annotate(List[float], hyper.tolist())
    watch = h[8] > 0.
    labels = targets.long()
    micro = ids.size(0)
    self.forget()
    loss = torch.zeros([], dtype=7, device=ids.device)
    for a in range(micro):
      watch_now = watch and a == micro - 1
      ids_now = torch.select(ids, 0, a)
      labels_now = torch.select(labels, 0, a)
      if h[9] > 0.:
        loss = loss + self.by_hand(ids_now, labels_now, h[11 + a], watch_now, int(h[10]))
      else:
        if h[10] > 0.:
          loss = loss + self.recomputed(ids_now, labels_now, watch_now, int(h[10]))
        else:
          loss = loss + self.by_autograd(ids_now, labels_now, watch_now)
      if a == 0:
        self.sums = self.grads
      else:
        torch._foreach_add_(self.sums, self.grads)
      self.grads = annotate(List[Tensor], [])
    return loss

  # As share, for another program to finish the step: the loss, the gradients end to end, and watching what has been watched.
  def deliver(self, ids: Tensor, targets: Tensor, hyper: Tensor) -> List[Tensor]:
    out = [self.share(ids, targets, hyper)]
    ends = annotate(List[Tensor], [])
    for g in self.sums:
      ends.append(g.view([-1]))
    out.append(torch.cat(ends))
    if len(self.tokens) > 0:
      out.append(self.watched())
      out.append(torch.stack(self.seen))
    if len(self.gates) > 0:
      out.append(torch.stack(self.gates))
    self.sums = annotate(List[Tensor], [])
    self.forget()
    return out

  # The rest of a step whose sequences were shared: what share returned here, and what the others delivered, one after another.
  def finish(self, loss: Tensor, hyper: Tensor, delivered: List[Tensor]) -> List[Tensor]:
    h = annotate(List[float], hyper.tolist())
    watch = h[8] > 0.
    micro = len(h) - 11
    tokens = annotate(List[Tensor], [])
    gates = annotate(List[Tensor], [])
    norms_below = annotate(List[Tensor], [])
    if watch:
      tokens.append(self.watched())
      norms_below.append(torch.stack(self.seen))
    each = 2
    if watch:
      each = 4
    if len(self.gates) > 0:
      each = each + 1
    sizes = annotate(List[int], [])
    if len(delivered) > 0:
      for w in self.weights:
        sizes.append(w.numel())
    for k in range(len(delivered) // each):
      loss = loss + delivered[each * k]
      self.grads = annotate(List[Tensor], [])
      pieces = torch.split_with_sizes(delivered[each * k + 1], sizes)
      for i in range(len(sizes)):
        self.grads.append(pieces[i].view_as(self.weights[i]))
      torch._foreach_add_(self.sums, self.grads)
      self.grads = annotate(List[Tensor], [])
      if watch:
        tokens.append(delivered[each * k + 2])
        norms_below.append(delivered[each * k + 3])
        if each > 4:
          gates.append(delivered[each * k + 4])
    grads = self.sums
    self.sums = annotate(List[Tensor], [])
    if micro > 1:
      torch._foreach_mul_(grads, 1. / micro)
    norms = self.part_norms(grads)
    total = torch.sqrt((norms.double() * norms.double()).sum())
    mean_loss = loss / micro
    out = [torch.stack([mean_loss, total]), norms]
    if watch:
      out.append(self.measures(torch.cat(tokens, 2)))
      below = norms_below[0]
      for k in range(1, len(norms_below)):
        below = torch.hypot(below, norms_below[k])
      out.append(torch.flip(below, [0]))
    if h[7] > 0.:
      changes = self.adamw(grads, total, mean_loss, h, watch)
      if watch:
        norm_of, change_of = torch.unbind(changes)
        out.append(norm_of)
        out.append(change_of)
    if len(self.gates) > 0:
      out.append(self.gate_statistics(gates))
    self.forget()
    return out

  # AdamW with decoupled weight decay on tensors of two dimensions, on gradients clipped to a total norm. Nothing is changed
  # where the loss or a gradient is not finite. Watching, it goes by groups of tensors that stay in the cache, and returns the
  # norms of every tensor and of its change, those of vectors of D elements, taken together, behind all others. (The lists written
  # to are attributes: PyTorch drops a write to the elements of a list made on the spot.)
  def adamw(self, grads: List[Tensor], total: Tensor, loss: Tensor, h: List[float], watch: bool) -> Tensor:
    scale = torch.clamp((total + 1e-6) * (1. / h[5]), 1.).float()
    bad = torch.logical_not(torch.isfinite(total + loss)).float()
    time = torch.tensor(h[6], dtype=6, device=total.device)
    sizes = annotate(List[Tensor], [])
    changes = annotate(List[Tensor], [])
    vector_sizes = annotate(List[Tensor], [])
    vector_changes = annotate(List[Tensor], [])
    size = len(grads)
    if watch:
      size = 32
    for part in range((len(grads) + size - 1) // size):
      low = part * size
      high = min(len(grads), low + size)
      watched = annotate(List[Tensor], [])
      before = annotate(List[Tensor], [])
      vectors = annotate(List[Tensor], [])
      self.forget_groups()
      for i in range(low, high):
        w = self.weights[i]
        if watch:
          if w.dim() == 1 and w.size(0) == $D:
            vectors.append(w)
          else:
            watched.append(w)
            before.append(w.clone())
        if w.dim() == 2:
          self.matrices.append(w)
          self.matrix_grads.append(grads[i])
          self.matrices_m.append(self.exp_avg[i])
          self.matrices_v.append(self.exp_avg_sq[i])
          self.matrix_time.append(time)
        else:
          self.vectors.append(w)
          self.vector_grads.append(grads[i])
          self.vectors_m.append(self.exp_avg[i])
          self.vectors_v.append(self.exp_avg_sq[i])
          self.vector_time.append(time)
      none = annotate(List[Tensor], [])
      vectors_before = annotate(List[Tensor], [])
      if len(vectors) > 0:
        vectors_before.append(torch.stack(vectors))
      if len(self.matrices) > 0:
        torch._fused_adamw_(self.matrices, self.matrix_grads, self.matrices_m, self.matrices_v, none, self.matrix_time, lr=h[0], beta1=h[1], beta2=h[2], weight_decay=h[4], eps=h[3], amsgrad=False, maximize=False, grad_scale=scale, found_inf=bad)
      if len(self.vectors) > 0:
        torch._fused_adamw_(self.vectors, self.vector_grads, self.vectors_m, self.vectors_v, none, self.vector_time, lr=h[0], beta1=h[1], beta2=h[2], weight_decay=0., eps=h[3], amsgrad=False, maximize=False, grad_scale=scale, found_inf=bad)
      if len(watched) > 0:
        sizes.append(torch.stack(torch._foreach_norm(watched, 2)))
        torch._foreach_sub_(before, watched)
        changes.append(torch.stack(torch._foreach_norm(before, 2)))
      for rows in vectors_before:
        now = torch.stack(vectors)
        vector_sizes.append(torch.linalg_vector_norm(now, 2, [1]))
        vector_changes.append(torch.linalg_vector_norm(now - rows, 2, [1]))
    self.forget_groups()
    if watch:
      return torch.stack([torch.cat(sizes + vector_sizes), torch.cat(changes + vector_changes)])
    return total

  def forget_groups(self) -> NoneType:
    self.matrices = annotate(List[Tensor], [])
    self.matrix_grads = annotate(List[Tensor], [])
    self.matrices_m = annotate(List[Tensor], [])
    self.matrices_v = annotate(List[Tensor], [])
    self.matrix_time = annotate(List[Tensor], [])
    self.vectors = annotate(List[Tensor], [])
    self.vector_grads = annotate(List[Tensor], [])
    self.vectors_m = annotate(List[Tensor], [])
    self.vectors_v = annotate(List[Tensor], [])
    self.vector_time = annotate(List[Tensor], [])
    return None

  # Sum of the losses over the targets that count, their number, and how many of them were the most likely token. skip: a
  # sub-layer to leave out (x passes it unchanged), or −1.
  def evaluate(self, ids: Tensor, targets: Tensor, skip: Tensor) -> Tensor:
    logits = self.logits(self.weights, ids, False, int(skip.item()))
    labels = targets.long()
    counted = labels != -100
    n = counted.sum()
    right = torch.logical_and(torch.argmax(logits, -1) == labels, counted).sum()
    return torch.stack([self.loss_of(logits, labels, 1).double() * n, n.double(), right.double()])

  # Logits of every position, (B, T, V).
  def predict(self, ids: Tensor) -> Tensor:
    return self.logits(self.weights, ids, False, -1)

  # One named parameter's part of the state: where is [0 the parameter, 1 AdamW's first moment, 2 its second; index of the
  # tensor; number of the part in it].
  def part_of(self, where: Tensor) -> Tensor:
    kind, i, part = annotate(List[int], where.tolist())
    t = self.weights[i]
    if kind == 1:
      t = self.exp_avg[i]
    if kind == 2:
      t = self.exp_avg_sq[i]
    if self.parts[i] > 1:
      t = torch.chunk(t, self.parts[i], 0)[part]
    return t

  def read(self, where: Tensor) -> Tensor:
    return self.part_of(where).clone()

  def write(self, where: Tensor, value: Tensor) -> Tensor:
    return torch.copy_(self.part_of(where), value)

  # --- gradients by autograd -----------------------------------------------------------------------------------------------------

  # Leaves what by_hand does.
  def by_autograd(self, ids: Tensor, labels: Tensor, watch: bool) -> Tensor:
    loss = self.loss_of(self.logits(self.params, ids, watch, -1), labels, 1)
    self.grads = annotate(List[Tensor], [])
    for g in torch.autograd.grad([loss], self.params + self.seen):
      self.grads.append(unchecked_cast(Tensor, g))
    if watch:
      n = len(self.params)
      depth = len(self.seen)
      norms = torch._foreach_norm(torch.slice(self.grads, n, n + depth, 1), 2)
      self.grads = torch.slice(self.grads, 0, n, 1)
      self.seen = annotate(List[Tensor], [])
      for i in range(depth):
        self.seen.append(norms[depth - 1 - i])
    return loss.detach()

  # --- recomputing activations under autograd ------------------------------------------------------------------------------------

  # Blocks b0 to b1 − 1 on the parameters p.
  def segment(self, p: List[Tensor], x: Tensor, b0: int, b1: int, watch: bool) -> Tensor:
$SEGMENT_BLOCKS
    return x

  # As by_hand, by autograd: a forward pass that keeps only x at the lower bound of each segment of size blocks, then
  # from the top down each segment's forward pass again, with its gradients.
  def recomputed(self, ids: Tensor, labels: Tensor, watch: bool, size: int) -> Tensor:
    self.grads = self.weights + annotate(List[Tensor], [])
    self.bounds = annotate(List[Tensor], [])
    x = torch.embedding(self.weights[0], ids)
    segments = ($BLOCK_COUNT + size - 1) // size
    for s in range(segments):
      self.bounds.append(x)
      x = self.segment(self.weights, x, s * size, s * size + size, watch)
    tokens = self.tokens
    gains = self.gains
    gates = self.gates
    top = x.detach().requires_grad_(True)
    loss = self.loss_of(self.linear(self.rms_norm(self.params[-2], top), self.params[-1]), labels, 1)
    got = annotate(List[Tensor], [])
    for g in torch.autograd.grad([loss], [top, self.params[-2], self.params[-1]]):
      got.append(unchecked_cast(Tensor, g))
    self.grads[-2] = got[1]
    self.grads[-1] = got[2]
    gx = got[0]
    norms = annotate(List[Tensor], [])
    if watch:
      norms.append(torch.linalg_vector_norm(gx))
    for k in range(segments):
      s = segments - 1 - k
      low = self.bounds.pop().detach().requires_grad_(True)
      self.forget()
      high = self.segment(self.params, low, s * size, s * size + size, watch)
      i0 = self.first[2 * s * size]
      i1 = self.first[2 * min(s * size + size, $BLOCK_COUNT)]
      wanted = [low] + torch.slice(self.params, i0, i1, 1)
      down = annotate(List[Tensor], [])
      for g in torch.autograd.grad([high], wanted + torch.slice(self.seen, 1, len(self.seen), 1), annotate(List[Optional[Tensor]], [gx])):
        down.append(unchecked_cast(Tensor, g))
      gx = down[0]
      for i in range(i1 - i0):
        self.grads[i0 + i] = down[1 + i]
      if watch:
        for i in range(len(self.seen) - 1):
          norms.append(torch.linalg_vector_norm(down[len(down) - 1 - i]))
        norms.append(torch.linalg_vector_norm(gx))
    self.tokens = tokens
    self.gains = gains
    self.gates = gates
    self.seen = norms
    self.grads[0] = torch.embedding_dense_backward(gx, ids, $VOCABULARY, -1, False)
    return loss.detach()
